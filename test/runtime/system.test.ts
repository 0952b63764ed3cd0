import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { requestHalt, sleep } from '../../lambdas/runtime/system.ts';

describe('sleep', () => {
  beforeAll(() => void jest.useFakeTimers());
  afterAll(() => void jest.useRealTimers());

  function fallAsleep(ms: number): () => boolean {
    let awake = false;
    void sleep(ms).then(() => {
      awake = true;
    });
    return () => awake;
  }

  it('lasts its time', async () => {
    const isAwake = fallAsleep(1000);
    await jest.advanceTimersByTimeAsync(999);
    expect(isAwake()).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isAwake()).toBe(true);
  });

  it('ends at once after a halt, whether it began before or after', async () => {
    const before = [fallAsleep(60_000), fallAsleep(60_000)];
    requestHalt();
    const after = fallAsleep(60_000);
    await jest.advanceTimersByTimeAsync(0);
    expect([...before, after].map((isAwake) => isAwake())).toEqual([true, true, true]);
  });
});
