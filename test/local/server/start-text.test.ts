import { describe, expect, it } from '@jest/globals';
import { startText } from '../../../local/server/startup.ts';

const content = {
  baseUrl: 'http://127.0.0.1:8787/api',
  publicUrl: 'http://127.0.0.1:8787/v1',
  dashboardUrl: 'http://127.0.0.1:8787/',
  orgId: 'o1',
  apiKey: 'ssk_1_secret',
};
const printing = { readyFile: 'data/ready.json', screen: '/app' };
const signInUrl = 'http://127.0.0.1:8787/app#token=t0ken';

describe('the text at the start', () => {
  it('the text has the key for a person at a terminal', () => {
    const text = startText(content, { ...printing, isTerminal: true });
    expect(text).toContain('Search page    http://127.0.0.1:8787/\n');
    expect(text).toContain('Key            ssk_1_secret\n');
    expect(text).toContain("curl -H 'Authorization: Bearer ssk_1_secret' http://127.0.0.1:8787/api/sites\n");
  });

  it('the text says elsewhere where the key is, since the output may be stored in a log', () => {
    const text = startText(content, { ...printing, isTerminal: false });
    expect(text).toContain('The key is in data/ready.json\n');
    expect(text).not.toContain('ssk_');
  });

  it('the text has the link that signs in at a terminal, and elsewhere says where it is', () => {
    const shown = startText({ ...content, signInUrl }, { ...printing, isTerminal: true });
    expect(shown).toContain(`Dashboard      ${signInUrl}\n`);
    expect(shown).toContain('npm run --silent admin -- link');
    const logged = startText({ ...content, signInUrl }, { ...printing, isTerminal: false });
    expect(logged).toContain('Dashboard      http://127.0.0.1:8787/app\n');
    expect(logged).toContain('The link that signs in is in data/ready.json\n');
    expect(logged).not.toContain('t0ken');
  });

  it('the text has the screen of the crawl that the start has begun', () => {
    const screen = '/app/sites/s1/crawl/j1';
    const text = startText(content, { ...printing, screen, isTerminal: false });
    expect(text).toContain(`Dashboard      http://127.0.0.1:8787${screen}\n`);
  });

  it('the text has a search of the demo site in both cases', () => {
    for (const isTerminal of [true, false])
      expect(startText({ ...content, demoSiteId: 'd1' }, { ...printing, isTerminal })).toContain(
        "curl 'http://127.0.0.1:8787/v1/public/sites/d1/search?q=",
      );
  });
});
