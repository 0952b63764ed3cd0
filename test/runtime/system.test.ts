import { describe, expect, it } from '@jest/globals';
import { requestHalt, sleep } from '../../lambdas/runtime/system.ts';

describe('sleep', () => {
  it('lasts its time until a halt is asked for, which ends all sleeps and the later ones at once', async () => {
    const begun = performance.now();
    await sleep(20);
    expect(performance.now() - begun).toBeGreaterThan(15);
    const asleep = [sleep(60_000), sleep(60_000)];
    requestHalt();
    await Promise.all(asleep);
    await sleep(60_000);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
