import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddingsServer } from '../support/embeddings-server.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { type WebSite, webSite } from '../support/web-site.ts';

const THINGS = [
  ...['anchor', 'bell', 'compass', 'deck', 'engine', 'flag', 'galley', 'hull', 'keel'],
  ...['lantern', 'mast', 'net', 'oar', 'pump', 'rudder', 'sail', 'tiller', 'winch'],
] as const;

/** 20 to 139 words that no other paragraph has. */
function paragraph(number: number): string {
  const thing = (n: number) => THINGS[(number * number + 7 * n * ((number % 5) + 1) + ((n * n) % 11)) % THINGS.length];
  return `${Array.from({ length: 20 + ((number * 37) % 120) }, (_, n) => `${thing(n)}${number}`).join(' ')}.`;
}

const EDITS = 8;

/** A page of 40 paragraphs, then with one more in each version. */
function* versions(): Generator<readonly string[]> {
  let paragraphs = Array.from({ length: 40 }, (_, n) => paragraph(n));
  yield paragraphs;
  for (let edit = 0; edit < EDITS; edit++) {
    paragraphs = paragraphs.toSpliced((edit * 11 + 5) % paragraphs.length, 0, paragraph(50 + edit));
    yield paragraphs;
  }
}

const lastVersion = (): readonly string[] => [...versions()].at(-1) ?? [];

const LIMIT_MS = 60_000;
const TITLES: readonly string[] = ['Crawled ship', 'Ingested ship'];

describe('a page that gains a paragraph in each version', () => {
  let provider: EmbeddingsServer;
  let service: LocalService;
  let site: WebSite;
  let siteId: string;

  beforeAll(async () => {
    provider = await EmbeddingsServer.start();
    site = await webSite({});
    service = await LocalService.start({ env: { ...provider.env, CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
    siteId = await service.createSite(site.origin);
  });
  afterAll(async () => {
    await service.end();
    await site.close();
    provider.close();
  });

  const crawl = async (paragraphs: readonly string[], crawledSite = siteId): Promise<void> => {
    const text = paragraphs.map((one) => `<p>${one}</p>`).join('\n');
    site.pages.set('/', `<title>Crawled ship</title><main><h1>Crawled ship</h1>${text}</main>`);
    await service.ended(await service.startCrawl(crawledSite));
  };
  const ingest = async (paragraphs: readonly string[]): Promise<void> => {
    const page = { url: '/ingested', title: 'Ingested ship', content: paragraphs.join('\n\n'), contentType: 'text' };
    await service.api('POST', `/sites/${siteId}/pages`, { pages: [page] });
  };
  /** The chunks that the work requests vectors for. After a crawl the site is also searched by its titles. */
  const asked = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const before = provider.asked.length;
    await work;
    return provider.asked.slice(before).filter((text) => !TITLES.includes(text));
  };
  /** Resolves when the index for the new model is being filled, which requests the vectors of both pages at once. */
  const restartedWith = async (model: string): Promise<void> => {
    const before = provider.asked.length;
    await service.kill('SIGTERM');
    await service.restart({ EMBEDDING_MODEL: model });
    const isAsked = (title: string) => provider.asked.some((text, at) => at >= before && text.startsWith(title));
    await eventually(async () => isAsked('Crawled') && isAsked('Ingested'), LIMIT_MS / 2);
  };

  it.each([
    ['crawled', crawl],
    ['ingested', ingest],
  ])(
    'needs vectors for few new chunks each time it is %s',
    async (_, write) => {
      const [first = [], ...later] = versions();
      expect((await asked(write(first))).length).toBeGreaterThan(8);
      const counts: number[] = [];
      for (const version of later) counts.push((await asked(write(version))).length);
      expect(counts).toHaveLength(EDITS);
      expect(Math.min(...counts)).toBeGreaterThan(0);
      expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    },
    LIMIT_MS,
  );

  it(
    'has the same chunks in a site that has only its last version',
    async () => {
      const newSite = await service.createSite(site.origin);
      expect(await asked(crawl(lastVersion(), newSite))).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'has the same chunks with another embedding model',
    async () => {
      const known = new Set(provider.asked);
      const rebuilt = await asked(restartedWith('another-model'));
      expect(rebuilt.length).toBeGreaterThan(16);
      expect(rebuilt.filter((text) => !known.has(text))).toEqual([]);
      expect((await asked(crawl([...lastVersion(), paragraph(60)]))).length).toBeLessThanOrEqual(2);
    },
    LIMIT_MS,
  );
});
