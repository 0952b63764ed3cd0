import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../../support/answer.ts';
import { eventually } from '../../support/eventually.ts';
import { ORIGIN, PATIENCE_MS, type World } from './world.ts';

const PAGES = [
  { url: '/lamp', content: 'The lamp of the lighthouse burns paraffin.', tags: ['light'] },
  { url: '/stairs', content: 'A spiral staircase of two hundred steps leads to the lamp.', tags: ['tower'] },
  { url: '/notes/fog', content: 'In fog the keeper sounds the horn every minute.', key: 'fog' },
].map((page) => ({ contentType: 'text', ...page }));

export const searchAndContent = (world: () => World): void =>
  describe('search and content', () => {
    let siteId: string;
    let groupId: string;
    const api = (...call: Parameters<World['api']>) => world().api(...call);
    const visit = (...call: Parameters<World['public']>) => world().public(...call);
    const urlsOf = (body: Json) => listOf(body.results).map(({ url }) => new URL(String(url)).pathname);

    beforeAll(async () => {
      siteId = await world().createSite(`${ORIGIN}/`);
    });

    it('takes pages', async () => {
      expect(await api('POST', `/sites/${siteId}/pages`, { pages: PAGES })).toMatchObject({ processed: 3, failed: 0 });
    });

    it('answers searches, from the cache of the edge for a minute', async () => {
      const path = `/sites/${siteId}/search?q=staircase&limit=3`;
      const first = await visit('GET', path);
      expect([urlsOf(first.body)[0], first.headers.get('x-cache')]).toEqual(['/stairs', 'Miss from cloudfront']);
      expect((await visit('GET', `${path}&utm_source=mail`)).headers.get('x-cache')).toBe('Hit from cloudfront');
      expect((await visit('GET', `${path}&offset=1`)).headers.get('x-cache')).toBe('Miss from cloudfront');
      const other = await world().visitor('GET', `/v1/public${path}`, { headers: { Origin: 'https://other.example' } });
      expect([other.status, other.headers.get('x-cache')]).toEqual([403, 'Miss from cloudfront']);
    });

    it('answers searches by POST, suggestions, facets and chats', async () => {
      const posted = await visit('POST', `/sites/${siteId}/search`, { query: 'fog horn', limit: 3 });
      expect(urlsOf(posted.body)[0]).toBe('/notes/fog');
      await visit('GET', `/sites/${siteId}/facets?q=lamp`);
      await visit('GET', `/sites/${siteId}/suggest?q=lam`);
      const { body } = await visit('POST', `/sites/${siteId}/chat`, { message: 'What does the lamp burn?' });
      expect(String(body.answer)).toContain('paraffin');
      const headers = { Accept: 'text/event-stream', Origin: ORIGIN, 'Content-Type': 'application/json' };
      const question = JSON.stringify({ message: 'What does the lamp burn?', sessionId: body.sessionId });
      const streamed = await fetch(`${world().stack.edgeUrl}/v1/public/sites/${siteId}/chat`, {
        method: 'POST',
        headers,
        body: question,
      });
      expect(await streamed.text()).toMatch(/^event: sources[\s\S]*event: token[\s\S]*event: done/);
      await visit('POST', `/sites/${siteId}/events`, {
        type: 'click',
        query: 'lamp',
        url: `${ORIGIN}/lamp`,
        position: 1,
      });
    });

    it('answers with a page as Markdown, the list of pages, and a search with boosts that are not saved', async () => {
      const path = `/v1/public/sites/${siteId}/page?url=${encodeURIComponent(`${ORIGIN}/stairs`)}`;
      const asMarkdown = await world().visitor('GET', path, { headers: { Accept: 'text/markdown' } });
      expect(String(asMarkdown.body.text)).toContain('two hundred steps');
      const asJson = await world().visitor('GET', path, { headers: { Accept: 'application/json' } });
      expect([asJson.headers.get('x-cache'), asJson.body.url]).toEqual(['Miss from cloudfront', `${ORIGIN}/stairs`]);
      expect(String((await visit('GET', `/sites/${siteId}/llms.txt`)).body.text)).toContain(`${ORIGIN}/lamp`);
      const tagBoosts = [{ tag: 'tower', boost: 2 }];
      expect(urlsOf(await api('POST', `/sites/${siteId}/preview`, { query: 'lamp', tagBoosts }))).toContain('/stairs');
    });

    const callTool = async (path: string, name: string, args: object): Promise<Json> => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { body } = await visit('POST', path, message);
      expect([name, body.result?.isError ?? false]).toEqual([name, false]);
      return body.result?.structuredContent ?? body;
    };

    it('serves agents, which send no origin, by MCP, and an owner’s agent with a key', async () => {
      const path = `/sites/${siteId}/mcp`;
      await api('PUT', `/sites/${siteId}`, { publicAccess: { mcpEnabled: true }, mcp: { answer: true } });
      const list = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const listed = await fetch(`${world().stack.edgeUrl}/v1/public${path}`, { ...list, body });
      expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('"name":"search"')]);
      const { results } = await callTool(path, 'search', { query: 'staircase' });
      expect(results?.[0]).toMatchObject({ id: `${ORIGIN}/stairs` });
      expect((await callTool(path, 'fetch', { id: `${ORIGIN}/stairs` })).text).toContain('two hundred steps');
      expect((await callTool(path, 'answer', { question: 'What does the lamp burn?' })).answer).toContain('paraffin');
      await callTool(path, 'feedback', { query: 'tides', helpful: false });
      const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get-site', arguments: { siteId } } };
      const answer = await api('POST', '/mcp', call);
      expect(String(answer.result?.content?.[0]?.text)).toContain(siteId);
    });

    it('searches groups of sites', async () => {
      const publicAccess = { enabled: true, searchEnabled: true, chatEnabled: true, allowedDomains: ['www.example'] };
      const group = await api('POST', '/groups', { name: 'All', siteIds: [siteId], publicAccess });
      groupId = String(group.groupId);
      await api('GET', '/groups');
      await api('GET', `/groups/${groupId}`);
      await api('PUT', `/groups/${groupId}`, { name: 'All lighthouses' });
      expect(urlsOf((await visit('GET', `/groups/${groupId}/search?q=paraffin`)).body)).toEqual(['/lamp']);
      expect(urlsOf((await visit('POST', `/groups/${groupId}/search`, { query: 'horn' })).body)).toEqual([
        '/notes/fog',
      ]);
      await visit('GET', `/groups/${groupId}/facets`);
      await visit('GET', `/groups/${groupId}/suggest?q=sta`);
      const { body } = await visit('POST', `/groups/${groupId}/chat`, { message: 'How many steps has the staircase?' });
      expect(String(body.answer)).toContain('two hundred steps');
      await api('PUT', `/groups/${groupId}`, { publicAccess: { mcpEnabled: true } });
      const path = `/groups/${groupId}/mcp`;
      const { results } = await callTool(path, 'search', { query: 'paraffin' });
      expect(results?.[0]).toMatchObject({ id: `${ORIGIN}/lamp` });
      expect((await callTool(path, 'fetch', { id: `${ORIGIN}/lamp` })).text).toContain('paraffin');
      expect((await world().owner('DELETE', `/api/groups/${groupId}`)).status).toBe(204);
    });

    it('fills fields of pages that are there', async () => {
      const before = world().runsOf('refill-pages');
      const from = { urlPattern: '/notes/*' };
      await api('PUT', `/sites/${siteId}`, {
        metadataSchema: [{ name: 'topic', type: 'string', facet: true, from }],
      });
      await world().ran('refill-pages', before);
    });

    it('counts what visitors do, and what the edge answered from its cache', async () => {
      const searches = async () => Number((await api('GET', `/analytics?siteId=${siteId}`)).totalSearches);
      await eventually(async () => (await searches()) === 2, PATIENCE_MS);
      const counted = await searches();
      await world().stack.putEdgeLog();
      await eventually(async () => (await searches()) === counted + 1, PATIENCE_MS);
      expect(await api('GET', `/sites/${siteId}/usage`)).toMatchObject({ chats: 2 });
      expect(listOf((await api('GET', `/sites/${siteId}/top-queries`)).topQueries).length).toBeGreaterThan(1);
      const agents = async () => (await api('GET', `/analytics?siteId=${siteId}`)).agents;
      await eventually(async () => Number((await agents())?.unhelpful) === 1, PATIENCE_MS);
      expect(await agents()).toMatchObject({ searches: 1, pagesRead: 1, answers: 1 });
      const { gaps } = await api('GET', `/sites/${siteId}/content-gaps`);
      expect(listOf(gaps)).toContainEqual(expect.objectContaining({ query: 'tides', agents: 1 }));
      await api('GET', '/usage');
    });

    it('deletes pages', async () => {
      const deleted = await api('DELETE', `/sites/${siteId}/pages`, { keys: ['fog'] });
      expect(deleted).toMatchObject({ deletedPages: 1, complete: true });
      expect(await api('DELETE', `/sites/${siteId}/index-pages`, { urls: [`${ORIGIN}/lamp`] })).toMatchObject({
        deleted: 1,
      });
      expect(await api('POST', `/sites/${siteId}/purge`)).toMatchObject({ deletedCount: 1 });
      world().stack.edge.cache.clear();
      expect(urlsOf((await visit('GET', `/sites/${siteId}/search?q=staircase`)).body)).toEqual([]);
    });
  });
