import { describe, expect, it } from '@jest/globals';
import { addressCheck } from '../../../lambdas/connectors/fetcher/address-check.ts';
import { addressCheckContract, type Lookup } from '../../contracts/address-check.contract.ts';

const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

function resolverFor(lookup: Lookup): () => Promise<readonly string[]> {
  if (lookup === 'no such name') return () => failure('ENOTFOUND');
  if (lookup === 'temporary failure') return () => failure('EAI_AGAIN');
  if (lookup === 'no answer') return () => new Promise(() => undefined);
  return async () => lookup;
}

addressCheckContract('by the resolver of the machine', (lookup, { allowHosts } = { allowHosts: [] }) =>
  addressCheck({ allowHosts, timeoutMs: 50, resolve: resolverFor(lookup) }),
);

describe('the address check', () => {
  it('treats an unknown error of the resolver as temporary', async () => {
    const check = addressCheck({ allowHosts: [], timeoutMs: 50, resolve: () => failure('ESERVFAIL') });
    expect(await check('https://site.example/')).toBe('unverified');
  });

  it('uses the resolver of the machine by default', async () => {
    const check = addressCheck({ allowHosts: [], timeoutMs: 5000 });
    expect(await check('http://localhost/')).toBe('private');
    // Without a name server the lookup fails instead.
    expect(['no_such_host', 'unverified']).toContain(await check('http://no-such-host.invalid/'));
  });
});
