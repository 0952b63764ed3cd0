import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('access of agents to a site', () => {
  let service: TestApi;
  let siteId: string;
  let path: string;

  beforeAll(async () => {
    service = await openApi({ env: { SEARCH_PER_MINUTE_PER_IP: '40', CHAT_PER_MINUTE_PER_IP: '2' } });
    siteId = await service.createSite('https://docs.example');
    path = `/v1/public/sites/${siteId}/mcp`;
    await set({ publicAccess: { allowedDomains: ['shop.example'] } });
  });
  afterAll(() => service.end());

  const set = (settings: object): Promise<Answer> => service.api('PUT', `/sites/${siteId}`, settings);
  const send = (body: unknown, headers = {}, address = '192.0.2.7'): Promise<Answer> =>
    service.client()('POST', path, { body, headers, address });
  const list = (headers = {}): Promise<Answer> => send(LIST, headers);
  const ask = (address: string): Promise<Answer> =>
    send(
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'answer', arguments: { question: 'why' } } },
      {},
      address,
    );

  it('is closed until the owner opens it, and says how', async () => {
    const { status, body } = await list();
    expect([status, body.code]).toEqual([403, 'feature_disabled']);
    expect(body.error).toContain('publicAccess.mcpEnabled');
  });

  it('is open without an origin then, and with one that the site allows', async () => {
    await set({ publicAccess: { mcpEnabled: true } });
    expect((await list()).status).toBe(200);
    const allowed = await list({ Origin: 'https://shop.example' });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example']);
    const refused = await list({ Origin: 'https://evil.example' });
    expect([refused.status, refused.body.code]).toEqual([403, 'origin_not_allowed']);
    expect((await service.visit(`/public/sites/${siteId}/search?q=x`)).status).toBe(403);
  });

  it('is closed while the whole public access is', async () => {
    await set({ publicAccess: { enabled: false } });
    expect((await list()).status).toBe(403);
    await set({ publicAccess: { enabled: true } });
  });

  it('has the limits of searches for each address, and answers those of the chat', async () => {
    await set({ mcp: { answer: true } });
    const answers = [await ask('192.0.2.8'), await ask('192.0.2.8'), await ask('192.0.2.8')];
    expect(answers.map(({ status, body }) => [status, body.result?.isError ?? false])).toEqual([
      [200, false],
      [200, false],
      [200, true],
    ]);
    expect(answers[2]?.body.result?.content?.[0]?.text).toMatch(/^Too many requests: the limit is 2 per minute/);
    let last: Answer | undefined;
    for (let n = 0; n < 41; n++) last = await send(LIST, {}, '192.0.2.9');
    expect([last?.status, last?.body.code]).toEqual([429, 'rate_limited']);
  });

  it('is possible from browsers: a preflight admits the headers of the protocol', async () => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = await service.client()('OPTIONS', path, { headers });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    const admitted = preflight.headers.get('access-control-allow-headers')?.toLowerCase();
    for (const name of [
      'mcp-session-id',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'last-event-id',
      'authorization',
    ])
      expect(admitted).toContain(name);
  });

  it('has no answer tool unless the owner switches it on, and a description by the owner if there is one', async () => {
    await set({ mcp: { answer: false, description: 'All about lanterns.' } });
    const { tools } = (await list()).body.result ?? {};
    expect(JSON.stringify(tools)).not.toContain('"answer"');
    expect(tools?.[0]?.description).toContain('Test: All about lanterns.');
    await set({ mcp: { description: null } });
    expect((await list()).body.result?.tools?.[0]?.description).toContain('docs.example, 0 pages');
  });

  it('refuses a message that is no message of the protocol', async () => {
    expect((await send('{"jsonrpc":')).body.code).toBe('invalid_json');
    const { status } = await service.visit(`/public/sites/${siteId}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"hello": 1}',
    });
    expect(status).toBe(400);
  });
});
