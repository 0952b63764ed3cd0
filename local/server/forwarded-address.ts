import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { log } from '../../lambdas/runtime/log.ts';

/** Matches the prefix of an IPv4 address that arrives on an IPv6 socket. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** Matches an address with a port, as some proxies send it: `203.0.113.9:51234`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/i;
/**
 * Headers of proxies, which send at least one of them. A program on the same machine, such as a health check, sends
 * none.
 */
const SIGNS_OF_PROXY = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

function plain(stated: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(stated.trim()) ?? [];
  return (ipv6 ?? ipv4 ?? stated.trim()).replace(MAPPED, '');
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Returns the address that a request comes from: the socket's, unless it belongs to a trusted proxy. Then it is the
 * last address of `X-Forwarded-For` that is no trusted proxy, because each proxy appends the address from which it got
 * the request.
 */
export function forwardedAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: BlockList,
  onUnusable: (proxy: string) => void = warnOnce,
): string {
  let address = plain(socket.remoteAddress ?? '');
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
  while (isIP(address) !== 0 && isIn(trusted, address)) {
    const stated = forwarded.pop();
    const before = plain(stated ?? '');
    if (isIP(before) === 0) {
      if (stated !== undefined && SIGNS_OF_PROXY.some((name) => headers[name] !== undefined)) onUnusable(address);
      break;
    }
    address = before;
  }
  return address;
}

let isWarned = false;

function warnOnce(proxy: string): void {
  if (isWarned) return;
  isWarned = true;
  log('warn', 'a proxy of TRUST_PROXY states no address in X-Forwarded-For: its visitors share one limit', { proxy });
}
