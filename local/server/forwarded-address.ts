import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

/** An IPv4 address that arrives on an IPv6 socket. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
const plain = (address: string): string => address.trim().replace(MAPPED, '');

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * The address that a request comes from: the socket's, unless that is a trusted proxy. Then it is the last address of
 * `X-Forwarded-For` that is no trusted proxy, because each proxy appends the address from which it got the request.
 */
export function forwardedAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: BlockList,
): string {
  let address = plain(socket.remoteAddress ?? '');
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (isIP(address) !== 0 && isIn(trusted, address)) {
    const before = plain(forwarded.pop() ?? '');
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}
