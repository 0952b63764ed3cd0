import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressCheck } from '../../lambdas/adapters/address-check.ts';
import type { Resolve } from '../../lambdas/adapters/guarded-connector.ts';
import { httpFetcher } from '../../lambdas/adapters/http-fetcher.ts';
import { literalAddress } from '../../lambdas/core/web/address.ts';
import { LOCAL_NAMES, PRIVATE_HOSTS } from '../support/private-hosts.ts';
import { type RawServer, rawServer } from '../support/raw-server.ts';

const PUBLIC = '93.184.215.14';

/** A resolver that gives these answers, one after the other, and then the last again. */
function resolver(...answers: readonly (readonly string[])[]): Resolve {
  let asked = 0;
  return (_, __, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

describe('a server on a private address', () => {
  let server: RawServer;

  beforeAll(async () => {
    server = await rawServer({ '/': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nin' }, { host: '::' });
  });
  afterAll(() => server.close());

  async function reasonFor(url: string, allowHosts: readonly string[], resolve?: Resolve): Promise<string> {
    const fetcher = httpFetcher({
      userAgent: 'TestBot/1.0',
      allowHosts,
      connectionsPerHost: 5,
      ...(resolve && { resolve }),
    });
    const result = await fetcher.fetch({ url, maxBytes: 1000, timeoutMs: 2000 });
    await fetcher.close();
    return result.kind === 'failure' ? result.reason : String(result.status);
  }

  it.each(PRIVATE_HOSTS)('spelled %s is not asked', async (host) => {
    const others = ['127.0.0.2', `127.0.0.1:${server.port + 1}`, 'example.com'];
    expect(await reasonFor(`http://${host}:${server.port}/`, others)).toBe('private_address');
    expect(await reasonFor(`https://${host}:${server.port}/`, others)).toBe('private_address');
    expect(server.connections.made).toBe(0);
  });

  it.each(LOCAL_NAMES)('named %s is not asked', async (host) => {
    // A resolver may not know every spelling.
    expect(['private_address', 'dns']).toContain(await reasonFor(`http://${host}:${server.port}/`, ['127.0.0.1']));
    expect(server.connections.made).toBe(0);
  });

  it('is not asked whatever name leads there', async () => {
    const addresses = PRIVATE_HOSTS.map((host) => literalAddress(new URL(`http://${host}/`).hostname) ?? host);
    const answers = [
      ...addresses.map((address) => [address]),
      [PUBLIC, '127.0.0.1'],
      ['2606:4700::1111', '::1'],
      ['fe80::1%lo'],
    ];
    for (const answer of answers) {
      const reason = await reasonFor(`http://a.example:${server.port}/`, ['127.0.0.1'], resolver(answer));
      expect([answer, reason]).toEqual([answer, 'private_address']);
    }
    expect(server.connections.made).toBe(0);
  });

  it('is not asked where a name that was public leads there a moment later', async () => {
    const url = `http://rebound.example:${server.port}/`;
    const resolve = resolver([PUBLIC], ['127.0.0.1']);
    const resolveAll = (hostname: string) =>
      new Promise<readonly string[]>((done) =>
        resolve(hostname, { all: true }, (_, addresses) => done(addresses.map(({ address }) => address))),
      );
    expect(await addressCheck({ allowHosts: [], timeoutMs: 100, resolve: resolveAll })(url)).toBe('crawlable');
    expect(await reasonFor(url, [], resolve)).toBe('private_address');
    expect(server.connections.made).toBe(0);
  });

  it('is asked if the host and port in the URL are admitted, not by where they lead', async () => {
    const allowHosts = [`localhost:${server.port}`, 'inner.example'];
    const inside = resolver(['127.0.0.1']);
    expect(await reasonFor(`http://127.0.0.1:${server.port}/`, allowHosts)).toBe('private_address');
    expect(await reasonFor(`http://localhost:${server.port + 1}/`, allowHosts)).toBe('private_address');
    expect(await reasonFor(`http://outer.example:${server.port}/`, allowHosts, inside)).toBe('private_address');
    expect(server.connections.made).toBe(0);
    expect(await reasonFor(`http://localhost:${server.port}/`, allowHosts)).toBe('200');
    expect(await reasonFor(`http://inner.example:${server.port}/`, allowHosts, inside)).toBe('200');
    expect(server.connections.made).toBe(2);
  });
});
