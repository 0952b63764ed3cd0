import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { InProcessApi } from '../support/in-process-api.ts';

const page = (url: string) => ({ url, title: 'Lanterns', content: 'Lanterns burn oil.', contentType: 'text' });

describe('a preview', () => {
  let service: InProcessApi;
  let siteId: string;
  beforeAll(async () => {
    service = await InProcessApi.open({ workers: false });
    siteId = await service.createSite('https://www.example/');
    const pages = [page('/a/one'), { ...page('/b/two'), content: 'Lanterns burn oil, and the wick is of cotton.' }];
    await service.api('POST', `/sites/${siteId}/pages?wait=true`, { pages });
  });
  afterAll(() => service.end());

  const preview = (body: object, path = `/sites/${siteId}/preview`): Promise<Answer> => service.api('POST', path, body);
  const pathsIn = ({ body }: Answer): readonly string[] =>
    listOf(body.results).map(({ url }) => new URL(String(url)).pathname);
  const boosted = (urlPrefix: string) => ({ query: 'lanterns', urlBoosts: [{ urlPrefix, boost: 3 }] });

  it('ranks by the boosts of the call, and leaves those of the site as they are', async () => {
    expect(pathsIn(await preview(boosted('/a/')))).toEqual(['/a/one', '/b/two']);
    expect(pathsIn(await preview(boosted('/b/')))).toEqual(['/b/two', '/a/one']);
    expect((await service.api('GET', `/sites/${siteId}`)).body.urlBoosts).toEqual([]);
  });

  it('without boosts answers as a visitor’s search does', async () => {
    const { body } = await service.visit(`/public/sites/${siteId}/search?q=lanterns`);
    expect({ ...(await preview({ query: 'lanterns' })).body, timingMs: 0 }).toEqual({ ...body, timingMs: 0 });
  });

  it('answers the query if asked to, from the pages that the boosts put first, and keeps no session', async () => {
    const { status, body } = await preview({ ...boosted('/b/'), query: 'What do lanterns burn?', answer: true });
    expect(status).toBe(200);
    expect(body.answer).toMatchObject({ answer: expect.stringContaining('oil'), tokensUsed: 0 });
    expect(Object.keys(Object(body.answer))).not.toContain('sessionId');
  });

  it('does not count in analytics', async () => {
    const { body: before } = await service.api('GET', `/analytics?siteId=${siteId}`);
    await preview({ query: 'nothing that a page has', answer: true });
    const { body: after } = await service.api('GET', `/analytics?siteId=${siteId}`);
    expect(after).toEqual(before);
  });

  it('refuses a field that does not exist, and a site of another organisation', async () => {
    expect(await preview({ query: 'lanterns', boosts: [] })).toMatchObject({ status: 400 });
    const other = await service.makeOrganisation('pro');
    const { status } = await service.client(other.apiKey)('POST', `/api/sites/${siteId}/preview`, {
      body: { query: 'a' },
    });
    expect(status).toBe(404);
  });
});
