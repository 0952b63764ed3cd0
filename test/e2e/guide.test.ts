import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { blocksOf, guidePages } from '../support/guide-documents.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/** A failing command or answer ends the script; what the server answered is printed. */
const STRICT = `
set -euo pipefail
curl() {
  local answer status=0
  answer=$(command curl --fail-with-body "$@") || status=$?
  printf '%s' "$answer"
  [ $status = 0 ]
}
`;

const PAGES = {
  '/': htmlPage('Example', 'The opening hours of the shop are described here.', ['/prices', '/contact', '/docs/16/a']),
  '/prices': htmlPage('Prices', 'What everything costs in the shop, for one and for many.'),
  '/contact': htmlPage('Contact', 'How to reach the people of the shop by letter or telephone.'),
  '/docs/16/a': htmlPage('Install', 'How to install version sixteen of the lantern on a wall.'),
};

describe('the examples of the guide', () => {
  let service: LocalService;
  let website: WebSite;
  let folder: string;

  beforeAll(async () => {
    website = await webSite(PAGES);
    folder = mkdtempSync(join(tmpdir(), 'guide-'));
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await website.close();
    rmSync(folder, { recursive: true });
  });

  /** The example site and the guide's addresses become those of the test, and pauses short. */
  const adapted = (code: string, { ready, dataDir }: LocalService): string =>
    code
      .replaceAll('https://www.example.com', website.origin)
      .replaceAll(encodeURIComponent('https://www.example.com'), encodeURIComponent(website.origin))
      .replaceAll('http://127.0.0.1:8787/', ready.dashboardUrl)
      .replaceAll('backup.sqlite', join(folder, 'backup.sqlite'))
      .replaceAll('settings.json', join(folder, 'settings.json'))
      .replaceAll('./.site-search/', `${dataDir}/`)
      .replaceAll('./packages/', `${ROOT}packages/`)
      .replaceAll('run --silent admin --', `--prefix ${ROOT} run --silent admin -- --data ${dataDir}`)
      .replaceAll(/\bsleep \d+/g, 'sleep 0.1');

  async function runs(
    script: string,
    variables: Readonly<Record<string, string>> = {},
    on: LocalService = service,
  ): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: folder, ...variables };
    const bash = spawn('bash', ['-c', STRICT + adapted(script, on)], { cwd: folder, env });
    let output = '';
    for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (text) => (output += text));
    const code = await new Promise((resolve) => bash.on('close', resolve));
    expect({ output, code }).toEqual({ output, code: 0 });
    return output;
  }

  const [addresses = '', ...firstSite] = blocksOf('first-site.md', 'sh');
  const crawledSite = async (): Promise<string> => {
    const siteId = await service.createSite(website.origin, { maxPages: 50 });
    await service.ended(await service.startCrawl(siteId));
    return siteId;
  };

  it('first-site.md leads to a result', async () => {
    expect(await runs([addresses, ...firstSite].join('\n'))).toMatch(/status: 'completed'[\s\S]*title: 'Example'/);
  });

  it.each(guidePages.filter((page) => page !== 'first-site.md' && blocksOf(page, 'sh').length > 0))(
    '%s run one after the other',
    async (page) => {
      await runs([addresses, `SITE=${await crawledSite()}`, ...blocksOf(page, 'sh')].join('\n'));
    },
  );

  it('the tour of the README leads to results, an answer, a page of its own and a crawl', async () => {
    const withDemo = await LocalService.start({ options: [], env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
    try {
      const { body } = await withDemo.api('GET', `/sites/${withDemo.ready.demoSiteId}/jobs`);
      await withDemo.ended(String(listOf(body.jobs)[0]?.jobId)); // on a busy machine it takes longer than the start
      const output = await runs(blocksOf('../../README.md', 'sh').join('\n'), {}, withDemo);
      expect(output).toMatch(/\d\.\d+ Why a page is found or not\n[\s\S]*Deleted 1 page\.[\s\S]*indexed: [1-9]/);
    } finally {
      await withDemo.end();
    }
  }, 90_000);

  it('the step for GitHub Actions waits for the end of a crawl', async () => {
    const [step = ''] = blocksOf('automation.md', 'yaml');
    const script = /^ {2}run: \|\n([\s\S]*)/m.exec(step)?.[1] ?? '';
    const variables = { API: service.ready.baseUrl, KEY: service.ready.apiKey };
    const output = await runs(script, { ...variables, SITE: await crawledSite() });
    expect(output).toContain('"status":"completed"');
  });
});
