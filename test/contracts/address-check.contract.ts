import { describe, expect, it } from '@jest/globals';
import type { AddressCheck } from '../../lambdas/domain/ports/address-check.ts';
import { literalAddress } from '../../lambdas/text/web/address.ts';
import { PRIVATE_HOSTS } from '../support/private-hosts.ts';

export type Lookup = readonly string[] | 'no such name' | 'temporary failure' | 'no answer';

type Make = (lookup: Lookup, options?: { readonly allowHosts: readonly string[] }) => AddressCheck;

const SITE = 'https://site.example/a';
const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];

/** The promises of `AddressCheck`. */
export function addressCheckContract(name: string, make: Make): void {
  describe(`AddressCheck: ${name}`, () => {
    it('admits a host whose addresses are all public', async () => {
      expect(await make(PUBLIC)(SITE)).toBe('crawlable');
    });

    it.each([
      ['its only address', ['10.0.0.1']],
      ['one of several addresses', [...PUBLIC, '127.0.0.1']],
      ['an IPv4 address inside IPv6', ['::ffff:192.168.0.1']],
    ])('refuses a host if %s is private', async (_, addresses) => {
      expect(await make(addresses)(SITE)).toBe('private');
    });

    it('refuses a host whose name resolves to any private address', async () => {
      for (const host of PRIVATE_HOSTS) {
        const address = literalAddress(new URL(`http://${host}/`).hostname) ?? host;
        expect([host, await make([address])(SITE)]).toEqual([host, 'private']);
      }
    });

    it('judges an address in the URL without a lookup', async () => {
      const check = make('no such name');
      for (const host of PRIVATE_HOSTS) expect([host, await check(`http://${host}/`)]).toEqual([host, 'private']);
      expect(await check('http://93.184.215.14/')).toBe('crawlable');
    });

    it('admits private addresses of allowed hosts only', async () => {
      const check = make(['10.0.0.1'], { allowHosts: ['site.example', '127.0.0.1:81'] });
      expect(await check(SITE)).toBe('crawlable');
      expect(await check('http://other.example/')).toBe('private');
      expect(await check('http://127.0.0.1:81/')).toBe('crawlable');
      expect(await check('http://127.0.0.1:82/')).toBe('private');
    });

    it('admits the private host of one call, by host and port, for that call', async () => {
      const check = make(['10.0.0.1']);
      expect(await check('http://other.example:81/', 'other.example:81')).toBe('crawlable');
      expect(await check('http://other.example:82/', 'other.example:81')).toBe('private');
      expect(await check('http://other.example:81/')).toBe('private');
    });

    it('distinguishes a name that does not exist from a lookup that failed or timed out', async () => {
      expect(await make('no such name')(SITE)).toBe('no_such_host');
      expect(await make('temporary failure')(SITE)).toBe('unverified');
      expect(await make('no answer')(SITE)).toBe('unverified');
    });

    it('does not admit an allowed host whose name does not exist', async () => {
      expect(await make('no such name', { allowHosts: ['site.example'] })(SITE)).toBe('no_such_host');
    });
  });
}
