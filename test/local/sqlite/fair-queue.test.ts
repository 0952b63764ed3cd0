import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type ServerDeps } from '../../../local/server/http-server.ts';
import { FairQueue } from '../../../local/sqlite/fair-queue.ts';
import { InProcessApi } from '../../support/in-process-api.ts';

describe('FairQueue', () => {
  const orderOf = async (started: readonly Promise<string>[]): Promise<readonly string[]> => {
    const order: string[] = [];
    await Promise.all(started.map(async (each) => order.push(await each)));
    return order;
  };

  it('gives each site its turn, whatever number of requests waits', async () => {
    const queue = new FairQueue();
    const requests = ['a', 'a', 'a', 'b', 'b', 'c'].map((place) => queue.turn(place).then(() => place));
    expect(await orderOf(requests)).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('leaves time for requests that arrive between turns', async () => {
    const queue = new FairQueue();
    const order: string[] = [];
    const waiting = ['a', 'a', 'a'].map((place) => queue.turn(place).then(() => order.push(place)));
    setImmediate(() => waiting.push(queue.turn('late').then(() => order.push('late'))));
    await queue.turn('a');
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'a', 'late', 'a']);
  });
});

describe('a server with a flooded site', () => {
  const IN_FLIGHT = 40;
  let api: InProcessApi;
  let server: Awaited<ReturnType<typeof listen>>;
  const sites: string[] = [];

  beforeAll(async () => {
    api = await InProcessApi.open({ workers: false });
    const call = api.client(api.ready.apiKey);
    for (const name of ['flooded', 'quiet']) {
      const siteId = await api.createSite(`https://${name}.example/`);
      const text = { content: 'Lanterns are lit at dusk.', contentType: 'text', title: 'Lanterns', tags: ['t'] };
      await call('POST', `/api/sites/${siteId}/pages`, { body: { pages: [{ url: '/1', summary: 's', ...text }] } });
      sites.push(siteId);
    }
    const webFiles = { folder: new URL('.', import.meta.url), names: new Set() };
    const deps = { webFiles, demoSite: () => undefined, isOwnHost: () => true } as unknown as ServerDeps;
    server = await listen({ host: '127.0.0.1', port: 0 }, deps);
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await api.end();
  });

  const search = async (siteId: string, query: string): Promise<number> => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/v1/public/sites/${siteId}/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    await response.text();
    return response.status;
  };

  it('answers a search of another site before those that wait', async () => {
    const [flooded = '', quiet = ''] = sites;
    const long = Array.from({ length: 30 }, (_, n) => `lanterm${n}`).join(' ');
    await search(quiet, 'lanterns');
    let answered = 0;
    const flood = Array.from({ length: IN_FLIGHT }, async (_, n) => {
      const status = await search(flooded, `${n} ${long}`);
      answered += 1;
      return status;
    });
    expect(await search(quiet, 'lanterns at dusk')).toBe(200);
    expect(answered).toBeLessThan(IN_FLIGHT / 2);
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
  });
});
