import { describe, expect, it } from '@jest/globals';
import { addressCheck } from '../../lambdas/adapters/address-check.ts';

const check = (answer: () => Promise<readonly string[]>, allowHosts: readonly string[] = []) =>
  addressCheck({ allowHosts, timeoutMs: 50, resolve: answer });
const fails = (code: string) => check(() => Promise.reject(Object.assign(new Error(code), { code })));
const SITE = 'https://site.example/a';

describe('the check of an address', () => {
  it('lets a host be crawled whose addresses are all public', async () => {
    expect(await check(async () => ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(SITE)).toBe(
      'crawlable',
    );
  });

  it.each([[['10.0.0.1']], [['93.184.215.14', '127.0.0.1']], [['::ffff:192.168.0.1']]])(
    'tells that %j is private',
    async (addresses) => {
      expect(await check(async () => addresses)(SITE)).toBe('private');
    },
  );

  it('tells a literal without a look-up', async () => {
    const literal = check(() => Promise.reject(new Error('asked')));
    expect(await literal('http://127.0.0.1/')).toBe('private');
    expect(await literal('http://0x7f.1/')).toBe('private');
    expect(await literal('http://[::1]/')).toBe('private');
    expect(await literal('http://93.184.215.14/')).toBe('crawlable');
  });

  it('admits the hosts that it is told to', async () => {
    const admitting = check(async () => ['10.0.0.1'], ['site.example']);
    expect(await admitting(SITE)).toBe('crawlable');
    expect(await admitting('http://other.example/')).toBe('private');
    expect(await admitting('http://other.example:81/', 'other.example:81')).toBe('crawlable');
    expect(await admitting('http://other.example:82/', 'other.example:81')).toBe('private');
  });

  it('knows a name that does not exist from one that cannot be told now', async () => {
    expect(await fails('ENOTFOUND')(SITE)).toBe('no_such_host');
    expect(await fails('EAI_AGAIN')(SITE)).toBe('unverified');
    expect(await fails('ESERVFAIL')(SITE)).toBe('unverified');
    expect(await check(() => new Promise(() => undefined))(SITE)).toBe('unverified');
  });

  it('asks the resolver of the machine unless told otherwise', async () => {
    const real = addressCheck({ allowHosts: [], timeoutMs: 5000 });
    expect(await real('http://localhost/')).toBe('private');
  });
});
