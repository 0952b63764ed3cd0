import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queue } from '#adapters/queue';
import { sendEvent } from '../../lambdas/aws/event-sink.ts';
import type { LoggedEvent } from '../../lambdas/domain/ports/logged-event.ts';
import { queues } from '../../lambdas/messages.ts';
import { handler } from '../../lambdas/workers/collect-events.ts';
import { openLocalStore } from '../support/local-store.ts';

const EVENT: LoggedEvent = { id: 'one', at: 1, orgId: 'o', siteId: 's', type: 'search', query: 'a "b"\n', results: 0 };

/** Returns what CloudWatch Logs sends for lines of a log. */
const delivery = (messages: readonly string[], messageType = 'DATA_MESSAGE') => {
  const logEvents = messages.map((message, n) => ({ id: String(n), timestamp: n, message }));
  const content = { messageType, owner: '1', logGroup: 'g', logStream: 's', subscriptionFilters: ['f'], logEvents };
  return { awslogs: { data: gzipSync(JSON.stringify(content)).toString('base64') } };
};

/** The line that a function writes to its log. */
function lineOf(event: LoggedEvent): string {
  const { write } = process.stdout;
  let line = '';
  process.stdout.write = (text) => {
    line += text;
    return true;
  };
  try {
    sendEvent(event);
  } finally {
    process.stdout.write = write;
  }
  return line;
}

describe('the events in a function’s log', () => {
  let close: () => Promise<void>;
  beforeAll(async () => {
    close = await openLocalStore();
  });
  afterAll(() => close());

  const received = async () => {
    const messages = await queue.receive('telemetry', { max: 10, waitSeconds: 0 });
    for (const { receipt } of messages) await queue.acknowledge('telemetry', receipt);
    return messages.flatMap(({ body }) => queues.telemetry.message.parse(JSON.parse(body)).events);
  };

  it('are one line each, which the worker sends to the queue of events', async () => {
    const line = lineOf(EVENT);
    expect(line.trimEnd()).not.toContain('\n');
    await handler(delivery([line, lineOf({ ...EVENT, id: 'two' })]));
    expect(await received()).toEqual([EVENT, { ...EVENT, id: 'two' }]);
  });

  it('are skipped if they are not events', async () => {
    await handler(delivery(['no json', '{"event": {"id": "x"}}', 'null', lineOf(EVENT)]));
    expect(await received()).toEqual([EVENT]);
  });

  it('are none in a control message', async () => {
    await handler(delivery(['CWL CONTROL MESSAGE: Checking health of destination'], 'CONTROL_MESSAGE'));
    expect(await received()).toEqual([]);
  });
});
