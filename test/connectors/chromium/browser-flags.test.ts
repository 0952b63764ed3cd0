import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { browserFlags, browserUserAgent } from '../../../lambdas/connectors/chromium/browser-flags.ts';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('the flags of the browser', () => {
  const flags = browserFlags({ proxyPort: 9, contact: 'https://bot.example/', hasSandbox: true });

  it('keep web security, the isolation of sites and a process for each page', () => {
    expect(flags.join(' ')).not.toMatch(/no-sandbox|single-process|no-zygote|web-security|site-isolation|insecure/);
  });

  it('leave no way around the proxy', () => {
    expect(flags).toEqual(
      expect.arrayContaining(['--proxy-server=http://127.0.0.1:9', '--proxy-bypass-list=<-loopback>']),
    );
  });

  it('name the crawler, its contact and the version of the package', () => {
    const [major] = dependencies['@sparticuz/chromium'].split('.');
    const agent = browserUserAgent('https://bot.example/');
    expect(flags).toContain(`--user-agent=${agent}`);
    expect(agent).toContain(`Chrome/${major}.`);
    expect(agent).toMatch(/ SiteSearchBot\/1\.0 \(\+https:\/\/bot\.example\/\)$/);
  });
});
