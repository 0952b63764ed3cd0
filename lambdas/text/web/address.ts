import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * The special-purpose IPv4 blocks of IANA (RFC 6890 and later), with multicast, the former 6to4 relays and an address
 * of Azure.
 */
const SPECIAL_IPV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's services for its virtual machines
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** Global unicast. Loopback, link-local, unique-local, multicast and discard are outside. */
const GLOBAL_IPV6 = blockList('ipv6', [['2000::', 3]]);

/** The special-purpose blocks inside `GLOBAL_IPV6`. 2001::/23 is listed whole: its routed parts have no websites. */
const SPECIAL_IPV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]);

const MAPPED_IPV4 = blockList('ipv6', [['::ffff:0:0', 96]]);

/** IPv6 prefixes that embed an IPv4 address (mapped, NAT64, 6to4), with the 16-bit group at which it starts. */
const IPV4_CARRIERS = [
  { form: MAPPED_IPV4, group: 6 },
  { form: blockList('ipv6', [['64:ff9b::', 96]]), group: 6 },
  { form: blockList('ipv6', [['2002::', 16]]), group: 1 },
] as const;

/**
 * Returns whether an IP address belongs to the public internet; false for anything else, and for an address with a
 * zone.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !SPECIAL_IPV4.check(ip, 'ipv4');
  const groups = isIPv6(ip) ? ipv6Groups(ip) : undefined;
  if (groups === undefined) return false;
  const carrier = IPV4_CARRIERS.find(({ form }) => form.check(ip, 'ipv6'));
  if (carrier !== undefined) return isPublicAddress(ipv4At(groups, carrier.group));
  return GLOBAL_IPV6.check(ip, 'ipv6') && !SPECIAL_IPV6.check(ip, 'ipv6');
}

/**
 * Returns the network of an address: an IPv4 address itself, or the /64 of an IPv6 one. `unknown` for anything else.
 */
export const networkOf = (ip: string): string => prefixOf(ip, 4);

/** Returns the largest block that one subscriber usually has: an IPv4 address itself, or the /48 of an IPv6 one. */
export const subscriberOf = (ip: string): string => prefixOf(ip, 3);

function prefixOf(ip: string, length: 3 | 4): string {
  if (isIPv4(ip)) return ip;
  const groups = ipv6Groups(ip.split('%')[0] ?? '');
  if (groups === undefined) return 'unknown';
  if (MAPPED_IPV4.check(ip, 'ipv6')) return ipv4At(groups, 6);
  return `${groups
    .slice(0, length)
    .map((group) => group.toString(16))
    .join(':')}::/${16 * length}`;
}

/** Returns the IP address in a URL's `hostname`; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(address) === 0 ? undefined : address;
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

/**
 * Returns the eight 16-bit groups of an address without a zone. The WHATWG parser rewrites a dotted end to hexadecimal.
 */
function ipv6Groups(ip: string): readonly number[] | undefined {
  const host = URL.parse(`http://[${ip}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [head = [], tail = []] = host.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

function ipv4At(groups: readonly number[], start: number): string {
  const [high = 0, low = 0] = groups.slice(start, start + 2);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
