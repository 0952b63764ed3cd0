import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { queues } from '../../../lambdas/messages.ts';
import { tableTimetable } from '../../../local/sqlite/timetable.ts';
import { timetableContract } from '../../contracts/timetable.contract.ts';
import { openLocalStore } from '../../support/local-store.ts';

timetableContract('SQLite', async () => {
  const close = await openLocalStore();
  let seconds = 1_900_000_000;
  const timetable = tableTimetable({ table, queue, clock: () => seconds * 1000 });
  const takeOne = async () => {
    const [message] = await queue.receive('starts', { max: 1, waitSeconds: 0 });
    if (!message) return undefined;
    await queue.acknowledge('starts', message.receipt);
    return queues.starts.message.parse(JSON.parse(message.body));
  };
  return {
    timetable,
    async advance(by) {
      seconds += by;
      await timetable.sendDue();
    },
    now: () => seconds,
    async sent() {
      const starts = [];
      for (let start = await takeOne(); start; start = await takeOne()) starts.push(start);
      return starts;
    },
    close,
  };
});
