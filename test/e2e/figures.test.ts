import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';

const ROUNDS = 4;
/** A kill loses the events of the last second at most. */
const LOST_MS = 1000;

describe('the analytics of a service that is killed', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await LocalService.start({ env: { SEARCH_PER_MINUTE_PER_IP: '100000' } });
  });
  afterAll(() => service.end());

  const counted = async (siteId: string): Promise<number> =>
    Number((await service.api('GET', `/sites/${siteId}/usage?range=2d`)).body.searches);

  it('a kill loses at most the searches of the last second, and counts none twice', async () => {
    const siteId = await service.createSite('https://www.example/');
    let before = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const answered: number[] = [];
      let isKilled = false;
      const searching = (async () => {
        while (!isKilled) {
          const { status } = await service
            .visit(`/public/sites/${siteId}/search?q=gopher`)
            .catch(() => ({ status: 0 }));
          if (status === 200) answered.push(performance.now());
        }
      })();
      await eventually(async () => answered.length > 10); // the first search loads code
      await delay(1500 + 400 * round);
      const killedAt = performance.now();
      await service.kill('SIGKILL');
      isKilled = true;
      await searching;
      await service.restart();
      const after = await counted(siteId);
      const kept = answered.filter((at) => at < killedAt - LOST_MS).length;
      expect(kept).toBeGreaterThan(10);
      expect(after - before).toBeGreaterThanOrEqual(kept);
      expect(after - before).toBeLessThanOrEqual(answered.length + 1); // the last one may be counted but not answered
      before = after;
    }
    const { body } = await service.api('GET', `/sites/${siteId}/top-queries?range=2d`);
    expect(body.topQueries).toEqual([{ query: 'gopher', count: before }]);
  }, 60_000);

  it('a stop loses no searches', async () => {
    const siteId = await service.createSite('https://www.example/');
    for (let n = 0; n < 20; n++) await service.visit(`/public/sites/${siteId}/search?q=gopher`);
    await service.kill('SIGTERM');
    await service.restart();
    expect(await counted(siteId)).toBe(20);
  });

  it('analytics are removed with their site', async () => {
    const [deleted, kept] = [
      await service.createSite('https://a.example/'),
      await service.createSite('https://b.example/'),
    ];
    for (const q of ['shared', 'shared', 'only here']) await service.visit(`/public/sites/${deleted}/search?q=${q}`);
    await service.visit(`/public/sites/${kept}/search?q=shared`);
    await service.api('DELETE', `/sites/${deleted}`);
    const topQueries = await eventually(async () => {
      const { body } = await service.api('GET', '/analytics?range=2d');
      const all = listOf(body.topQueries).map(({ query, count }) => `${query} ${count}`);
      return all.some((text) => text.startsWith('only here')) ? undefined : all;
    }, 10_000);
    expect(topQueries).toContain('shared 1');
  });
});
