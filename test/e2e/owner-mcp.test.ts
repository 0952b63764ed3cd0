import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { mostTokens } from '../../lambdas/domain/agents/token-budget.ts';
import { toolRoutes } from '../../lambdas/routes/owner-mcp.ts';
import type { Json } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { mcpClient } from '../support/mcp-client.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

describe('the MCP server of an owner', () => {
  let service: LocalService;
  let web: WebSite;
  let siteId: string;

  beforeAll(async () => {
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
    web = await webSite({
      '/': htmlPage('Start', 'It begins here.', ['/lamp', '/broken', '/gone']),
      '/lamp': htmlPage('The lamp', `A lamp gives light.\u202e ${'All about lamps and their oil. '.repeat(20)}`),
      '/broken': (_, response) => void response.writeHead(500).end('no'),
    });
    siteId = await service.createSite(web.origin);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const connect = (query = '', apiKey = service.ready.apiKey): Promise<Client> =>
    mcpClient(`${service.ready.baseUrl}/mcp${query}`, { headers: { Authorization: `Bearer ${apiKey}` } });
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
    return { isError, texts, text: texts[0] ?? '' };
  };
  const json = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Json> => {
    const { text, isError } = await call(client, name, args);
    expect([text, isError]).toEqual([text, undefined]);
    return JSON.parse(text) as Json;
  };
  const names = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);

  it('has a tool for each operation of the API, and without write only those that read', async () => {
    const all = await connect('?write=1');
    expect(await names(all)).toEqual(Object.keys(toolRoutes));
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['test-url']));
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const trace = tools.find(({ name }) => name === 'trace-url');
    expect(trace?.description).toBe(`${toolRoutes['trace-url'].summary}.`);
    expect(Object.keys(trace?.inputSchema.properties ?? {})).toEqual(['siteId', 'url', 'q']);
    expect(trace?.inputSchema.required).toEqual(['siteId', 'url']);
  });

  it('says of each tool that removes something that it does', async () => {
    const { tools } = await (await connect('?write=1')).listTools();
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    expect(destructive.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'delete-site',
        'delete-pages',
        'purge-site',
        'approve-review',
        'revoke-key',
        'cancel-job',
      ]),
    );
    for (const { description } of destructive) expect(description).toContain('Destructive');
    const update = tools.find(({ name }) => name === 'update-site');
    expect(update?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });

  it('shows and runs only what the role of the key allows', async () => {
    const key = await service.makeKey('member');
    const member = await connect('?write=1', key);
    expect(await names(member)).not.toContain('delete-site');
    const { isError, text } = await call(member, 'delete-site', { siteId });
    expect([isError, text]).toEqual([true, expect.stringContaining('requires at least the role owner')]);
    await expect(connect('', 'ssk_wrong')).rejects.toThrow();
    expect((await service.api('GET', `/sites/${siteId}`)).status).toBe(200);
  });

  it('crawls a site and says what is broken', async () => {
    const client = await connect('?write=1');
    const { sites } = await json(client, 'list-sites');
    expect(sites?.[0]).toMatchObject({ siteId });
    const { jobId } = await json(client, 'start-crawl', { siteId, maxDepth: 2 });
    await eventually(async () => {
      const { status } = await json(client, 'get-job', { jobId: String(jobId) });
      return String(status) === 'completed' ? status : undefined;
    }, 60_000);
    const { pages } = await json(client, 'list-job-pages', { jobId: String(jobId), outcome: 'failed' });
    expect(pages).toMatchObject([{ url: `${web.origin}/broken` }]);
    const trace = await json(client, 'trace-url', { siteId, url: '/broken' });
    expect(trace.isIndexed).toBe(false);
    const tested = await json(client, 'test-url', { siteId, url: '/lamp' });
    expect(tested.page?.title).toBe('The lamp');
    expect(String(tested.page?.text)).not.toContain('\u202e');
    expect(await json(client, 'get-health', { siteId })).toMatchObject({ siteId });
    expect(await json(client, 'list-content-gaps', { siteId, limit: 5 })).toMatchObject({ gaps: [] });
  });

  it('changes nothing without write, and says how to allow it', async () => {
    const client = await connect();
    const { isError, text } = await call(client, 'purge-site', { siteId });
    expect([isError, text]).toEqual([true, expect.stringContaining('?write=1')]);
    expect(Number((await json(client, 'get-site', { siteId })).pageCount)).toBe(2);
  });

  it('answers a refusal of the API as an error of the tool, in its words', async () => {
    const client = await connect('?write=1');
    const refusals = [
      await call(client, 'list-pages', { siteId, limit: 999 }),
      await call(client, 'update-site', { siteId, crawlerConfig: { maxPages: 0 }, name: '' }),
      await call(client, 'get-job', { jobId: '01890000-0000-7000-8000-000000000000' }),
      await call(client, 'get-site', { siteId, colour: 'red' }),
    ];
    expect(refusals.map(({ isError }) => isError)).toEqual([true, true, true, true]);
    const [limit, update, job, unknown] = refusals.map(({ text }) => text);
    expect(limit).toContain('query.limit must be at most 200');
    expect(update).toMatch(/body\.name .*\n.*body\.crawlerConfig\.maxPages/s);
    expect(job).toContain('not found');
    expect(unknown).toBe('The tool has no argument colour.');
    await expect(client.callTool({ name: 'drop-table', arguments: {} })).rejects.toThrow('There is no tool drop-table');
  });

  it('cuts a large answer, and says how to get the rest', async () => {
    const pages = Array.from({ length: 90 }, (_, n) => ({
      url: `/ingested/${n}`,
      content: `Lamp ${n} burns.`,
      contentType: 'text',
      title: `Lamp ${n}`,
      summary: `On lamp ${n}. ${'It burns for a night. '.repeat(12)}`,
      tags: ['lamp'],
    }));
    const client = await connect('?write=1');
    expect(await json(client, 'ingest-pages', { siteId, pages })).toMatchObject({ processed: 90 });
    const { texts } = await call(client, 'list-pages', { siteId, limit: 200 });
    expect(mostTokens(texts.join(''))).toBeLessThanOrEqual(8000);
    expect((JSON.parse(texts[0] ?? '') as Json).items?.[0]).toMatchObject({ title: expect.anything() });
    expect(texts[1]).toMatch(/was cut: items to \d+ of 92\. For the rest, call the tool again with .*`limit`/);
  });
});
