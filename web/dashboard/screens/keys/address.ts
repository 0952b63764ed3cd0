import { type GivenSearch, textIn } from '../../address.ts';

export type KeysAddress = { readonly cursor?: string };

export function parseKeys(given: GivenSearch): KeysAddress {
  const cursor = textIn(given, 'cursor');
  return { ...(cursor !== undefined && { cursor }) };
}
