import { describe, expect, it } from '@jest/globals';
import { chromiumRenderer } from '../../../lambdas/connectors/chromium/page-renderer.ts';
import { pageRendererContract } from '../../contracts/page-renderer.contract.ts';
import { CHROMIUM_PATH, hasBrowser } from '../../support/has-browser.ts';

if (hasBrowser)
  pageRendererContract('Chromium', (allowHosts) =>
    chromiumRenderer({ allowHosts, contact: undefined, path: CHROMIUM_PATH }),
  );

describe('without a browser', () => {
  it('no page is shown, and the result says why', async () => {
    const renderer = chromiumRenderer({ allowHosts: [], contact: undefined, path: '/nowhere/chromium' });
    expect(await renderer.render({ url: 'https://a.example/', headers: {}, body: Buffer.from('') })).toEqual({
      ...{ kind: 'failure', reason: 'no_browser' },
      detail: 'CHROMIUM_PATH names /nowhere/chromium, which does not exist',
    });
    await renderer.close();
  });

  it('a program that is no browser is one that does not start', async () => {
    const renderer = chromiumRenderer({ allowHosts: [], contact: undefined, path: '/bin/true' });
    const result = await renderer.render({ url: 'https://a.example/', headers: {}, body: Buffer.from('') });
    expect(result).toMatchObject({ reason: 'no_browser', detail: expect.stringContaining('/bin/true does not start') });
    await renderer.close();
  });
});
