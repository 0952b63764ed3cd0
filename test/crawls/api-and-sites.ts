import type { Json } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { type SitePage, type WebSite, webSite } from '../support/web-site.ts';

/** The API with its workers, and websites on loopback for it to crawl. */
export class ApiAndSites {
  readonly service: TestApi;
  readonly owner: ApiClient;
  readonly #sites: WebSite[] = [];

  private constructor(service: TestApi) {
    this.service = service;
    this.owner = service.client(service.ready.apiKey);
  }

  /** `localhost` counts as another site than 127.0.0.1. */
  static async open(): Promise<ApiAndSites> {
    return new ApiAndSites(await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1,localhost' }, workers: true }));
  }

  readonly serve = async (pages: Readonly<Record<string, SitePage>>): Promise<WebSite> => {
    const site = await webSite(pages);
    this.#sites.push(site);
    return site;
  };

  /** Returns the job once it has ended. */
  readonly crawl = async (siteId: string, overrides?: object): Promise<Json> =>
    this.service.ended(await this.service.startCrawl(siteId, overrides));

  async close(): Promise<void> {
    await this.service.end();
    await Promise.all(this.#sites.map((site) => site.close()));
  }
}
