import { htmlPage, type WebSite, webSite } from '../../support/web-site.ts';

export const TOPICS = Array.from({ length: 20 }, (_, index) => `/topic-${index}`);
/** A word of one page only. */
export const NEEDLE = 'fresnel';

const page = (name: string, links: readonly string[] = []): string =>
  htmlPage(`All about ${name}`, `Here ${name} of the lighthouse is described, and nothing else of this kind.`, links);

/** A website of 22 pages. */
export async function lighthouse(): Promise<WebSite> {
  const site = await webSite({});
  fill(site);
  return site;
}

export function fill(site: WebSite): void {
  site.pages.set('/', page('the start', [...TOPICS, '/lens']));
  site.pages.set('/lens', htmlPage('The lens', `A ${NEEDLE} lens bends the light of the lamp to one beam.`));
  for (const path of TOPICS) site.pages.set(path, page(path.slice(1)));
}

/** Takes 12 pages from the website. */
export function lose(site: WebSite): void {
  for (const path of TOPICS.slice(0, 12)) site.pages.delete(path);
}
