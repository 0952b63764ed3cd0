import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { index } from '#adapters/search-index';
import { warmUp } from '../../../local/server/warm-up.ts';
import { eventBuffer } from '../../../local/sqlite/event-buffer.ts';
import { InProcessApi } from '../../support/in-process-api.ts';

let api: InProcessApi;
beforeAll(async () => {
  api = await InProcessApi.open({ workers: false });
});
afterAll(() => api.end());

it('searches a site for its titles, also with a typo, and no event is logged', async () => {
  const siteId = await api.createSite('https://warm.example/');
  const call = api.client(api.ready.apiKey);
  const page = {
    url: '/1',
    title: 'Lanterns',
    content: 'Lit at dusk.',
    contentType: 'text',
    summary: 's',
    tags: ['t'],
  };
  await call('POST', `/api/sites/${siteId}/pages`, { body: { pages: [page] } });
  const candidates = jest.spyOn(index, 'candidates');
  await warmUp(siteId);
  const words = candidates.mock.calls.map(([{ terms }]) => terms.map(({ term }) => term).join(' '));
  expect(words).toEqual(expect.arrayContaining(['lanterns', 'lanternsx']));
  candidates.mockRestore();
  await eventBuffer.flush();
  const { body } = await call('GET', `/api/analytics?siteId=${siteId}`);
  expect(body).toMatchObject({ totalSearches: 0 });
});

it('ends without a site', async () => {
  await expect(warmUp('none')).resolves.toBeUndefined();
});
