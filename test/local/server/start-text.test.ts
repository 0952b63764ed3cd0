import { describe, expect, it } from '@jest/globals';
import { startText } from '../../../local/server/startup.ts';

const content = {
  baseUrl: 'http://127.0.0.1:8787/api',
  publicUrl: 'http://127.0.0.1:8787/v1',
  dashboardUrl: 'http://127.0.0.1:8787/',
  orgId: 'o1',
  apiKey: 'ssk_1_secret',
};
const readyFile = 'data/ready.json';

describe('the text at the start', () => {
  it('the text has the key for a person at a terminal', () => {
    const text = startText(content, { isTerminal: true, readyFile });
    expect(text).toContain('Search page    http://127.0.0.1:8787/#key=ssk_1_secret\n');
    expect(text).toContain('Key            ssk_1_secret\n');
    expect(text).toContain("curl -H 'Authorization: Bearer ssk_1_secret' http://127.0.0.1:8787/api/sites\n");
  });

  it('the text says elsewhere where the key is, since the output may be stored in a log', () => {
    const text = startText(content, { isTerminal: false, readyFile });
    expect(text).toContain('The key is in data/ready.json\n');
    expect(text).not.toContain('ssk_');
  });

  it('the text has a search of the demo site in both cases', () => {
    for (const isTerminal of [true, false])
      expect(startText({ ...content, demoSiteId: 'd1' }, { isTerminal, readyFile })).toContain(
        "curl 'http://127.0.0.1:8787/v1/public/sites/d1/search?q=",
      );
  });
});
