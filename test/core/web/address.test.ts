import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, literalAddress } from '../../../lambdas/core/web/address.ts';

/** As a URL spells a host, read as a fetch reads it. */
function isPublicHost(host: string): boolean {
  const address = literalAddress(new URL(`http://${host}/`).hostname);
  if (address === undefined) throw new Error(`${host} is a name`);
  return isPublicAddress(address);
}

const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7F.1', '0x7f.0x0.0x0.0x1'],
  ...[
    '017700000001',
    '0177.0.0.1',
    '0177.1',
    '0177.0x0.1',
    '00000177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  ...['①②⑦.0.0.1', '%31%32%37.0.0.1', '0', '0.0.0.0', '0x0', '00', '0.1.2.3'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::]', '[::0.0.0.1]', '[::127.0.0.1]', '[::7f00:1]'],
];
const MAPPED = [
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::FFFF:10.0.0.1]',
    '[::ffff:169.254.169.254]',
  ],
  ...['[::ffff:0.0.0.0]', '[::ffff:192.168.0.1]', '[::ffff:a9fe:a9fe]', '[::ffff:0:127.0.0.1]', '[::ffff:0:8.8.8.8]'],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::8.8.8.8]',
    '[64:ff9b:1:ffff::1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2002:a9fe:a9fe::]',
    '[2002:c0a8:101:1:2:3:808:808]',
    '[2001:0:808:808::1]',
  ],
];
const PRIVATE_IPV4 = [
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '167772161',
    '012.1',
    '0xa.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.257',
  ],
  ...[
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
  ],
  ...[
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
  ],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295'],
];
const PRIVATE_IPV6 = [
  ...[
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fdff:ffff::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[feff::1]',
    '[ff00::1]',
    '[ff02::1]',
  ],
  ...[
    '[100::1]',
    '[100:0:0:1::1]',
    '[2001::1]',
    '[2001:1::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:1ff::1]',
  ],
  ...[
    '[2001:db8::1]',
    '[3fff::1]',
    '[3fff:fff::1]',
    '[5f00::1]',
    '[1::1]',
    '[4000::1]',
    '[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]',
  ],
];
const PUBLIC = [
  ...['8.8.8.8', '134744072', '0x08080808', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...[
    '126.255.255.255',
    '128.0.0.0',
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
  it.each([...LOOPBACK, ...MAPPED, ...PRIVATE_IPV4, ...PRIVATE_IPV6])('refuses %s', (host) => {
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

  it('reads the dotted spelling that a resolver may answer with', () => {
    expect(isPublicAddress('::ffff:127.0.0.1')).toBe(false);
    expect(isPublicAddress('::ffff:8.8.8.8')).toBe(true);
    expect(isPublicAddress('2001:4860:4860:0:0:0:0:8888')).toBe(true);
  });
});

describe('literalAddress', () => {
  it('knows a name from an address', () => {
    expect(literalAddress('example.com')).toBeUndefined();
    expect(literalAddress('127.0.0.1.nip.example')).toBeUndefined();
    expect(literalAddress('[::1]')).toBe('::1');
    expect(literalAddress('127.0.0.1')).toBe('127.0.0.1');
  });
});
