import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Resolve } from '../../lambdas/connectors/fetcher/guarded-connector.ts';
import { webhookSender } from '../../lambdas/connectors/webhook-sender.ts';
import { broken, type ScriptedServer, scriptedServer, silence } from '../support/scripted-server.ts';

const PUBLIC = '93.184.215.14';

describe('the sender of webhooks', () => {
  const servers: ScriptedServer[] = [];
  const serve = async (...answers: Parameters<typeof scriptedServer>): Promise<ScriptedServer> => {
    const server = await scriptedServer(...answers);
    servers.push(server);
    return server;
  };
  let target: ScriptedServer;

  beforeAll(async () => {
    target = await serve((response) => response.writeHead(204).end());
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const sender = webhookSender({ allowHosts: ['127.0.0.1'] });
  const send = (url: string, { timeoutMs = 5000, by = sender } = {}) =>
    by.send({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"a":1}', timeoutMs });

  it('the sender posts the body with the headers, and returns the status', async () => {
    expect(await send(`${target.url}/hook?key=1`)).toEqual({ kind: 'answer', status: 204 });
    const { method, path, body, headers } = target.requests.at(-1) ?? {};
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/hook?key=1', body: '{"a":1}' });
    expect(headers).toMatchObject({ 'webhook-id': 'evt_1', 'user-agent': 'SiteSearchWebhooks/1.0' });
  });

  it('follows no redirect', async () => {
    const before = target.requests.length;
    const server = await serve((response) => response.writeHead(307, { Location: `${target.url}/` }).end());
    expect(await send(server.url)).toEqual({ kind: 'answer', status: 307 });
    expect(target.requests).toHaveLength(before);
  });

  it('the sender reads only the start of an endless answer', async () => {
    const server = await serve((response) => {
      response.writeHead(200);
      const part = 'x'.repeat(16_384);
      const write = (): void => {
        if (!response.destroyed) response.write(part, () => setImmediate(write));
      };
      write();
    });
    expect(await send(server.url)).toEqual({ kind: 'answer', status: 200 });
  });

  it('gives up a server that does not answer, and one that breaks the connection', async () => {
    const silent = await serve(silence);
    expect(await send(silent.url, { timeoutMs: 50 })).toEqual({ kind: 'failure', reason: 'timeout' });
    expect(await send((await serve(broken)).url)).toEqual({ kind: 'failure', reason: 'connection' });
  });

  it('the sender never connects to a private address, by name or by number, even if the name changes its address', async () => {
    const before = target.requests.length;
    const { port } = new URL(target.url);
    let lookups = 0;
    const rebinding: Resolve = (_, __, callback) =>
      callback(null, [{ address: lookups++ === 0 ? PUBLIC : '127.0.0.1', family: 4 }]);
    const private4: Resolve = (_, __, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]);
    const by = (resolve: Resolve) => webhookSender({ allowHosts: [], resolve });
    const refused = { kind: 'failure', reason: 'private_address' };
    expect(await send(`http://127.0.0.1:${port}/`, { by: by(private4) })).toEqual(refused);
    expect(await send(`http://[::ffff:127.0.0.1]:${port}/`, { by: by(private4) })).toEqual(refused);
    expect(await send(`http://hook.example:${port}/`, { by: by(private4) })).toEqual(refused);
    const changing = by(rebinding);
    await send(`http://hook.example:${port}/`, { by: changing, timeoutMs: 50 }); // its first address is public
    expect(await send(`http://hook.example:${port}/`, { by: changing })).toEqual(refused);
    expect(target.requests).toHaveLength(before);
  });

  it('the sender reports that a name does not resolve', async () => {
    const unknown: Resolve = (_, __, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), []);
    const by = webhookSender({ allowHosts: [], resolve: unknown });
    expect(await send('http://hook.example/', { by })).toEqual({ kind: 'failure', reason: 'dns' });
  });
});
