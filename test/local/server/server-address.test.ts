import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Environment } from '../../../lambdas/env.ts';
import { ownHosts } from '../../../local/server/allowed-hosts.ts';
import { forwardedAddress } from '../../../local/server/forwarded-address.ts';

const proxies = Environment.parse({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, fd00::/8' }).TRUST_PROXY;
const addressOf = (remoteAddress: string, forwarded?: string): string =>
  forwardedAddress(
    {
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage,
    proxies,
  );

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.5', '192.0.2.1'],
    ['127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['::ffff:127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['127.0.0.1', '198.51.100.9, 203.0.113.5, 10.1.2.3', '203.0.113.5'],
    ['fd00::1', '2001:db8::7', '2001:db8::7'],
    ['127.0.0.1', '203.0.113.9:51234', '203.0.113.9'],
    ['127.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['127.0.0.1', '198.51.100.9, [2001:db8::1], 10.1.2.3:80', '2001:db8::1'],
    ['127.0.0.1', '[::ffff:203.0.113.9]:51234', '203.0.113.9'],
    ['127.0.0.1', '203.0.113.9:port', '127.0.0.1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', undefined, '127.0.0.1'],
  ])('from %s, forwarded for %s, is %s', (socket, forwarded, address) => {
    expect(addressOf(socket, forwarded)).toBe(address);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['no address', { 'x-forwarded-for': 'unknown' }, ['127.0.0.1']],
    ['none, but that it is a proxy', { via: '1.1 proxy' }, ['127.0.0.1']],
    ['its own address behind another', { 'x-forwarded-for': '203.0.113.5, unknown, 10.1.2.3' }, ['10.1.2.3']],
    ['an address', { 'x-forwarded-for': '203.0.113.5:1234', via: '1.1 proxy' }, []],
    ['only trusted addresses', { 'x-forwarded-for': '10.1.2.3' }, []],
    ['nothing, as a program on the same machine', {}, []],
  ])('of a trusted proxy is reported if visitors cannot be told apart: it states %s', (_, headers, expected) => {
    const reported: string[] = [];
    const request = { socket: { remoteAddress: '127.0.0.1' }, headers } as unknown as IncomingMessage;
    forwardedAddress(request, proxies, (proxy) => reported.push(proxy));
    expect(reported).toEqual(expected);
  });

  it.each(['localhost', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/'])('refuses the proxy %s', (entry) => {
    expect(Environment.safeParse({ TRUST_PROXY: entry }).success).toBe(false);
  });
});

describe('the host of a request', () => {
  it.each([
    ['127.0.0.1', undefined, 'localhost:8787', true],
    ['127.0.0.1', undefined, 'evil.example', false],
    ['127.0.0.1', undefined, '192.0.2.1', false],
    ['127.0.0.1', 'https://search.example', 'search.example', true],
    ['0.0.0.0', undefined, '192.0.2.1:8787', true],
    ['::', undefined, '[2001:db8::1]:8787', true],
    ['0.0.0.0', undefined, 'evil.example', false],
  ])('listening on %s with PUBLIC_URL %s: %s is %s', (listening, publicUrl, host, own) => {
    expect(ownHosts(listening, publicUrl)(host)).toBe(own);
  });
});
