import type { HTTPRequest } from 'puppeteer-core';
import { type Screen, type WidgetPage, WidgetSite } from './widget-page.ts';

const filler = (about: string): string => `<p>${`Here is more about ${about}, for those who read on. `.repeat(30)}</p>`;

/** A page with sections, a date and a version. */
const LAMPS = {
  url: '/house/lamps',
  tags: ['light', 'house'],
  metadata: { version: '2.1', floor: 3 },
  content: `<html><head><title>Lamps</title><meta name="date" content="2025-03-14"></head><body><main><h1>Lamps</h1>
    <p>All about lamps in our house.</p>${filler('rooms')}
    <h2 id="oil">Oil lamps</h2><p>An oil lamp burns for nine hours. Fill the oil lamp in the evening.</p>${filler('oil')}
    <h2 id="electric">Electric lamps</h2><p>Electric lamps shine for years.</p>${filler('sockets')}
    </main></body></html>`,
};
/** Pages of which a search finds more than one list. */
const STOOLS = Array.from({ length: 14 }, (_, i) => ({
  url: `/house/stool-${i}`,
  title: `Stool ${i}`,
  content: `Stool number ${i} is a wooden stool for the kitchen.`,
  contentType: 'text',
  tags: [i % 2 === 0 ? 'even' : 'odd', 'stool', ...(i < 3 ? ['oak'] : [])],
  metadata: { floor: i % 4, language: i % 3 === 0 ? 'de' : 'en' },
}));

/** A website with a search of some pages, and what its browser sent to the service. */
export async function startSearchSite(): Promise<WidgetSite> {
  const site = await WidgetSite.start();
  await site.service.api('PUT', `/sites/${site.siteId}`, {
    metadataSchema: [{ name: 'floor', type: 'number', label: 'Floor', facet: true }],
  });
  const { body } = await site.service.api('POST', `/sites/${site.siteId}/pages`, { pages: [LAMPS, ...STOOLS] });
  if (body.failed) throw new Error(JSON.stringify(body));
  return site;
}

export type OpenedPage = Screen & {
  readonly lang?: string;
  readonly head?: string;
  /** Answers a request in place of the service. */
  readonly answer?: (request: HTTPRequest) => Promise<void> | undefined;
};

/** A page with the script and some HTML. `SITE` is replaced by the id of the site. */
export async function openWidgets(site: WidgetSite, html: string, options: OpenedPage = {}): Promise<WidgetPage> {
  const { lang = 'en', head = '', answer, ...screen } = options;
  const page = await site.open(
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>A page</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    ${screen.csp ? '' : '<style>html { background: Canvas } p a { color: inherit }</style>'}
    ${head}<script async src="${site.root}v1/site-search.js"></script></head><body>
    <main><h1>A page</h1><p>Words of the page. <a href="#words">A link</a></p><input id="other" aria-label="Another field">
    ${html.replaceAll('SITE', site.siteId)}</main></body></html>`,
    screen,
  );
  if (answer) {
    await page.setRequestInterception(true);
    page.on('request', (request) => void (answer(request) ?? request.continue()));
  }
  return page;
}

/** Answers as the service would: JSON that other origins may read. */
export const respondJson = (request: HTTPRequest, status: number, body: object, headers = {}): Promise<void> =>
  request.respond({
    status,
    contentType: 'application/json',
    headers: { 'Access-Control-Allow-Origin': '*', ...headers },
    body: JSON.stringify(body),
  });

export const isSearch = (request: HTTPRequest): boolean =>
  request.method() === 'GET' && /\/public\/(?:sites|groups)\/[^/]+\/search\?/.test(request.url());
