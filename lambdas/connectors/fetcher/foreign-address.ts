import { BlockList, isIPv6 } from 'node:net';
import os from 'node:os';
import { isPublicAddress } from '../../text/web/address.ts';

/** Tells whether all addresses are public and none is this machine's own, which would bypass its firewall. */
export function areForeign(addresses: readonly string[]): boolean {
  if (!addresses.every(isPublicAddress)) return false;
  const own = ownAddresses();
  return !addresses.some((address) => own.check(address, familyOf(address)));
}

/** Reads this machine's addresses. Called each time, because a machine gets and loses addresses while it runs. */
function ownAddresses(): BlockList {
  const own = new BlockList();
  for (const { address } of Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses))
    own.addAddress(address, familyOf(address));
  return own;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
