import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import type { LoggedEvent } from '../../../lambdas/domain/ports/logged-event.ts';
import { EventBuffer } from '../../../local/sqlite/event-buffer.ts';

const eventOf = (n: number): LoggedEvent => ({ id: String(n), at: 0, orgId: 'o', type: 'search', query: 'q' });

/** A log that is away for the first calls, or fails for some events. */
function opened({
  away = 0,
  failing = () => false,
}: {
  away?: number;
  failing?: (event: LoggedEvent) => boolean;
} = {}) {
  const buffer = new EventBuffer();
  const appended: string[] = [];
  const losses: number[] = [];
  let calls = 0;
  buffer.open(async (events) => {
    calls += 1;
    if (calls <= away) throw new UnavailableError('away');
    if (events.some(failing)) throw new Error('a fault');
    appended.push(...events.map(({ id }) => id));
  });
  buffer.onLoss((count) => losses.push(count));
  return { buffer, appended, losses };
}

describe('events that wait', () => {
  it('waiting events are appended in order without a call', async () => {
    const { buffer, appended } = opened();
    for (let n = 0; n < 3; n++) buffer.add(eventOf(n));
    expect(appended).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(appended).toEqual(['0', '1', '2']);
  });

  it('events continue to wait while the log is unavailable, and are appended once', async () => {
    const { buffer, appended, losses } = opened({ away: 2 });
    for (let n = 0; n < 600; n++) buffer.add(eventOf(n));
    await buffer.flush();
    expect(appended).toEqual([]);
    await buffer.flush();
    await Promise.all([buffer.flush(), buffer.flush()]);
    expect(appended).toEqual(Array.from({ length: 600 }, (_, n) => String(n)));
    expect(losses).toEqual([]);
  });

  it('events are dropped and counted when too many wait', async () => {
    const { buffer, appended, losses } = opened();
    for (let n = 0; n < 20_500; n++) buffer.add(eventOf(n));
    await buffer.flush();
    expect([appended.length, losses]).toEqual([20_000, [500]]);
  });

  it('events are dropped and counted if the log refuses them, and do not block others', async () => {
    const { buffer, appended, losses } = opened({ failing: ({ id }) => id === '7' });
    for (let n = 0; n < 500; n++) buffer.add(eventOf(n));
    await buffer.flush();
    expect([appended.length, losses]).toEqual([400, [100]]);
  });
});
