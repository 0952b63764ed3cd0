import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { collectGarbage } from '../../../local/threads/collect-garbage.ts';

describe('collectGarbage', () => {
  it('frees what nothing refers to', async () => {
    const kept = { buffer: new ArrayBuffer(1_000_000) };
    const [freed, live] = [new WeakRef({ buffer: new ArrayBuffer(1_000_000) }), new WeakRef(kept)];
    await nextTurn(); // a WeakRef keeps its object until the end of a turn
    collectGarbage();
    expect([freed.deref(), live.deref()]).toEqual([undefined, kept]);
  });
});
