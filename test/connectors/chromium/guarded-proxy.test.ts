import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect as open } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type GuardedProxy, startGuardedProxy } from '../../../lambdas/connectors/chromium/guarded-proxy.ts';
import { guardedConnector } from '../../../lambdas/connectors/fetcher/guarded-connector.ts';

describe('the proxy of the browser', () => {
  let site: Server;
  let sitePort: number;
  let proxy: GuardedProxy;

  beforeEach(async () => {
    site = createServer((_request, response) => response.end('from the site')).listen(0, '127.0.0.1');
    await once(site, 'listening');
    sitePort = (site.address() as AddressInfo).port;
    const rebinds: Parameters<typeof guardedConnector>[2] = (_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const admits = ({ host }: URL) => host === `127.0.0.1:${sitePort}`;
    proxy = await startGuardedProxy(guardedConnector(admits, 1_000, rebinds));
  });

  afterEach(async () => {
    await proxy.close();
    site.close();
  });

  async function get(url: string) {
    const request = httpRequest({ host: '127.0.0.1', port: proxy.port, path: url, agent: false }).end();
    const [response] = await once(request, 'response');
    let body = '';
    for await (const part of response) body += part;
    return { status: response.statusCode, body };
  }

  async function tunnelStatus(authority: string) {
    const socket = open(proxy.port, '127.0.0.1');
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    const [first] = await once(socket, 'data');
    socket.destroy();
    return String(first).split('\r\n')[0];
  }

  it('passes requests on to an admitted host', async () => {
    expect(await get(`http://127.0.0.1:${sitePort}/`)).toEqual({ status: 200, body: 'from the site' });
    expect(await tunnelStatus(`127.0.0.1:${sitePort}`)).toContain(' 200 ');
  });

  it.each(['169.254.169.254', '127.0.0.1:1', '[::1]', '[::ffff:10.0.0.1]', 'name-with-private-address.example'])(
    'refuses requests and tunnels to %s',
    async (host) => {
      expect(await get(`http://${host}/`)).toEqual({ status: 403, body: '' });
      expect(await tunnelStatus(host.includes(':1') && !host.startsWith('[') ? host : `${host}:443`)).toContain(
        ' 403 ',
      );
    },
  );

  it('refuses a name that resolves to a private address where a server answers', async () => {
    const host = `rebound.example:${sitePort}`;
    expect(await get(`http://${host}/`)).toEqual({ status: 403, body: '' });
    expect(await tunnelStatus(host)).toContain(' 403 ');
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', '/no-host'])('refuses the URL %s', async (url) => {
    expect((await get(url)).status).toBe(403);
  });
});
