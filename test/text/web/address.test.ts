import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, literalAddress } from '../../../lambdas/text/web/address.ts';
import { PRIVATE_HOSTS } from '../../support/private-hosts.ts';

/** Whether the host of a URL, parsed as by fetch, is public. */
function isPublicHost(host: string): boolean {
  const address = literalAddress(new URL(`http://${host}/`).hostname);
  if (address === undefined) throw new Error(`${host} is a name`);
  return isPublicAddress(address);
}

const PUBLIC = [
  ...['8.8.8.8', '134744072', '0x08080808', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...[
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
  ],
  ...['192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ...[
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '[2606:4700::1111]',
    '[2001:4860:4860::8888]',
    '[2001:200::1]',
  ],
  ...['[2000::1]', '[2003::1]', '[2a00::1]', '[3ffe::1]', '[2001:db7::1]', '[2001:db9::1]', '[3fff:1000::1]'],
  ...['[::ffff:8.8.8.8]', '[64:ff9b::8.8.8.8]', '[2002:808:808::1]'],
];

describe('isPublicAddress', () => {
  it.each(PRIVATE_HOSTS)('refuses %s', (host) => {
    expect(isPublicHost(host)).toBe(false);
  });

  it.each(PUBLIC)('admits %s', (host) => {
    expect(isPublicHost(host)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '8.8.8', '::1]/[', 'fe80::1%lo', '2606:4700::1111%eth0', '::ffff:127.0.0.1%lo'])(
    'refuses %j, which is no plain IP address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it('reads dotted IPv4 in IPv6 addresses, which resolvers may return', () => {
    expect(isPublicAddress('::ffff:127.0.0.1')).toBe(false);
    expect(isPublicAddress('::ffff:8.8.8.8')).toBe(true);
    expect(isPublicAddress('2001:4860:4860:0:0:0:0:8888')).toBe(true);
  });
});

describe('literalAddress', () => {
  it('distinguishes names and addresses', () => {
    expect(literalAddress('example.com')).toBeUndefined();
    expect(literalAddress('127.0.0.1.nip.example')).toBeUndefined();
    expect(literalAddress('[::1]')).toBe('::1');
    expect(literalAddress('127.0.0.1')).toBe('127.0.0.1');
  });
});
