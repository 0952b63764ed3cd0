import { type Answer, type Json, listOf } from './answer.ts';
import { openApi } from './api.ts';
import type { ApiClient } from './api-client.ts';
import type { TestApi } from './test-api.ts';
import { htmlPage, type WebSite, webSite } from './web-site.ts';

type About = { readonly tags?: string; readonly published?: string; readonly language?: string };

function page(title: string, text: string, { tags = '', published, language = 'en' }: About = {}): string {
  const date = published === undefined ? '' : `<meta name="date" content="${published}">`;
  return htmlPage(title, text)
    .replace('lang="en"', `lang="${language}"`)
    .replace('</head>', `<meta name="keywords" content="${tags}">${date}</head>`);
}

const lamps = ['brass', 'paper', 'storm', 'railway', 'garden'].map((kind, i): [string, string] => {
  const text = `A ${kind} lantern gives light in its own way, number ${i}.`;
  const about = { tags: i % 2 ? 'Odd, Lamp' : 'Even, Lamp', published: `2024-0${i + 1}-15` };
  return [`/lamps/${kind}`, page(`The ${kind} lantern`, text, about)];
});

const PAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(lamps),
  '/news/lantern': page('Lantern', 'News of the lantern.', { tags: 'News', published: '2024-03-15T23:30:00Z' }),
  '/de/laterne': page('Die Laterne', 'Eine Laterne heißt auf Englisch lantern.', { language: 'de' }),
};

/** The paths of five lamps with dates and tags, a news page and a German page. */
export const LANTERNS = Object.keys(PAGES).sort();

/** Creates a crawled site about lanterns, and the requests of its owner. */
export class LanternSite {
  readonly web: WebSite;
  readonly owner: ApiClient;
  readonly siteId: string;
  readonly #service: TestApi;

  private constructor(service: TestApi, web: WebSite, siteId: string) {
    this.#service = service;
    this.web = web;
    this.siteId = siteId;
    this.owner = service.client(service.ready.apiKey);
  }

  static async open(): Promise<LanternSite> {
    const service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    const web = await webSite({ ...PAGES, '/': htmlPage('Start', 'It begins here.', LANTERNS) });
    const site = new LanternSite(service, web, await service.createSite(web.origin));
    await service.ended(await service.startCrawl(site.siteId)).catch(async (error) => {
      await site.close();
      throw error;
    });
    return site;
  }

  async close(): Promise<void> {
    await this.#service.end();
    await this.web.close();
  }

  get(query: string): Promise<Answer> {
    return this.owner('GET', `/v1/public/sites/${this.siteId}/search?${query}`);
  }

  post(body: object): Promise<Answer> {
    return this.owner('POST', `/v1/public/sites/${this.siteId}/search`, { body });
  }

  lantern(more: object = {}): Promise<Answer> {
    return this.post({ query: 'lantern', minScore: 0, ...more });
  }

  set(settings: object): Promise<Answer> {
    return this.owner('PUT', `/api/sites/${this.siteId}`, { body: settings });
  }
}

export const hits = ({ body }: Answer): readonly Json[] => listOf(body.results);
export const pathsOf = (answer: Answer): readonly string[] =>
  hits(answer).map(({ url }) => new URL(String(url)).pathname);
