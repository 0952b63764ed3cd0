import { describe, expect, it } from '@jest/globals';
import { chromiumRenderer } from '../../../lambdas/connectors/chromium/page-renderer.ts';
import { pageRendererContract } from '../../contracts/page-renderer.contract.ts';
import { CHROMIUM_PATH, hasBrowser } from '../../support/has-browser.ts';

if (hasBrowser)
  pageRendererContract('Chromium', (allowHosts) =>
    chromiumRenderer({ allowHosts, contact: undefined, path: CHROMIUM_PATH }),
  );

if (hasBrowser)
  describe('a browser without its sandbox', () => {
    it('a browser without its sandbox is reported in a warning', async () => {
      const renderer = chromiumRenderer({ allowHosts: [], contact: undefined, path: CHROMIUM_PATH, isFunction: true });
      const { kind } = await renderer.render({
        url: 'https://a.example/',
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<p>A'),
      });
      expect([kind, renderer.warning]).toEqual(['page', expect.stringContaining('without its sandbox')]);
      await renderer.close();
    });
  });

describe('without a browser', () => {
  it('without a browser no page is shown, and the result says why', async () => {
    const renderer = chromiumRenderer({ allowHosts: [], contact: undefined, path: '/nowhere/chromium' });
    expect(await renderer.render({ url: 'https://a.example/', headers: {}, body: Buffer.from('') })).toEqual({
      kind: 'failure',
      reason: 'no_browser',
      detail: 'CHROMIUM_PATH names /nowhere/chromium, which does not exist',
    });
    await renderer.close();
  });

  it('without a sandbox no browser starts if it is required', async () => {
    const renderer = chromiumRenderer({
      allowHosts: [],
      contact: undefined,
      path: '/bin/true',
      isFunction: true,
      sandbox: 'required',
    });
    const result = await renderer.render({ url: 'https://a.example/', headers: {}, body: Buffer.from('') });
    expect(result).toMatchObject({
      reason: 'no_browser',
      detail: '/bin/true does not start with its sandbox, which CHROMIUM_SANDBOX requires',
    });
    await renderer.close();
  });

  it('a program that is no browser counts as one that does not start', async () => {
    const renderer = chromiumRenderer({ allowHosts: [], contact: undefined, path: '/bin/true' });
    const result = await renderer.render({ url: 'https://a.example/', headers: {}, body: Buffer.from('') });
    expect(result).toMatchObject({ reason: 'no_browser', detail: expect.stringContaining('/bin/true does not start') });
    await renderer.close();
  });
});
