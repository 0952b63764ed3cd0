import { hash } from 'node:crypto';
import type { FetchRequest, FetchResult, PageFetcher } from '../../lambdas/domain/ports/page-fetcher.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { ORIGIN, type PlannedPage, type Refusals, type SitePlan } from './site-plan.ts';

export type SiteGuard = (process: SimulatedProcess, url: string) => void;

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

/** A website that answers as planned. Some of its pages kill the worker that fetches them. */
export class SimulatedSite {
  readonly #plans: { readonly plan: SitePlan; readonly from: number }[];
  readonly #guard: SiteGuard;
  readonly #lethalBodies = new WeakSet<Uint8Array>();
  readonly #fetches = new Map<string, number>();
  readonly #lastFetches = new Map<string, number>();
  readonly #now: () => number;

  constructor(plan: SitePlan, guard: SiteGuard, now: () => number) {
    this.#now = now;
    this.#plans = [{ plan, from: 0 }];
    this.#guard = guard;
  }

  get plan(): SitePlan {
    return this.planAt(Number.POSITIVE_INFINITY);
  }

  /** The plan at a moment, in epoch milliseconds. */
  planAt(time: number): SitePlan {
    return this.#plans.findLast(({ from }) => from <= time)?.plan ?? (this.#plans[0] as { plan: SitePlan }).plan;
  }

  get firstPlan(): SitePlan {
    return this.planAt(0);
  }

  /** All plans of a time, which may begin or end within them. */
  plansBetween(from: number, to: number): readonly SitePlan[] {
    const first = this.planAt(from);
    return [first, ...this.#plans.filter((one) => from < one.from && one.from <= to).map(({ plan }) => plan)];
  }

  /** When a page was last answered. */
  lastFetch(url: string): number | undefined {
    return this.#lastFetches.get(url);
  }

  revise(plan: SitePlan, from: number): void {
    this.#plans.push({ plan, from });
  }

  fetcherOf(process: SimulatedProcess): PageFetcher {
    return {
      fetch: (request) => this.#fetch(request, process),
      stream: async (request, take) => {
        const result = await this.#fetch(request, process);
        if (result.kind === 'response' && result.status === 200) take(result.body);
        return result;
      },
      close: () => Promise.resolve(),
    };
  }

  /** Returns how often a page was fetched. */
  fetches(url: string): number {
    return this.#fetches.get(url) ?? 0;
  }

  #fetch({ url, timeoutMs, signal, etag }: FetchRequest, process: SimulatedProcess): Promise<FetchResult> {
    this.#guard(process, url);
    const before = this.fetches(url);
    this.#fetches.set(url, before + 1);
    if (url === `${ORIGIN}/robots.txt`) return this.#robots(before, process);
    if (url === `${ORIGIN}/sitemap.xml`) return this.#sitemap(process);
    const page = this.plan.pages.get(url.slice(ORIGIN.length));
    const askedAt = this.#now();
    const delayMs = page?.kind === 'silent' ? timeoutMs : (page?.delayMs ?? 20);
    return new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve({ kind: 'failure', reason: 'aborted', detail: 'given up' }));
      process.deliver(delayMs, () => {
        if (signal?.aborted) return;
        this.#lastFetches.set(url, askedAt);
        resolve(page?.kind === 'page' && before < page.kills ? this.#lethal(page) : this.#answer(page, before, etag));
      });
    });
  }

  /** Tells whether reading this body kills the worker. */
  isLethal(body: Uint8Array): boolean {
    return this.#lethalBodies.has(body);
  }

  #lethal(page: PlannedPage): FetchResult {
    const whole = answer(page);
    if (whole.kind === 'failure') return whole;
    const body = new Uint8Array(whole.body);
    this.#lethalBodies.add(body);
    return { ...whole, body };
  }

  #answer(page: PlannedPage | undefined, before: number, etag: string | undefined): FetchResult {
    if (page?.kind === 'page' && before < page.refusals.count) return refusal(page.refusals);
    const whole = answer(page);
    if (!this.plan.hasEtags || whole.kind === 'failure' || whole.status !== 200) return whole;
    const own = `"${hash('sha1', whole.body)}"`;
    return own === etag ? response(304, { etag: own }, '') : { ...whole, headers: { ...whole.headers, etag: own } };
  }

  async #sitemap(process: SimulatedProcess): Promise<FetchResult> {
    await process.sleep(30);
    const { sitemap } = this.plan;
    const entries = sitemap.map((path) => `<url><loc>${ORIGIN}${path}</loc></url>`).join('');
    return sitemap.length > 0
      ? response(200, { 'content-type': 'text/xml' }, `<urlset>${entries}</urlset>`)
      : answer(undefined);
  }

  async #robots(before: number, process: SimulatedProcess): Promise<FetchResult> {
    await process.sleep(30);
    const { failures, text } = this.plan.robots;
    return before < failures ? response(503, {}, '') : response(200, { 'content-type': 'text/plain' }, text);
  }
}

function answer(page: PlannedPage | undefined): FetchResult {
  switch (page?.kind) {
    case undefined:
      return response(404, HTML, '<h1>Not here</h1>');
    case 'page':
      return response(200, HTML, pageHtml(page));
    case 'refresh':
      return response(200, HTML, `<meta http-equiv="refresh" content="0; url=${page.to}">${MOVED}`);
    case 'redirect':
      return response(301, { location: page.to }, '');
    case 'status':
      return response(page.status, HTML, '<h1>Sorry</h1>');
    case 'silent':
      return { kind: 'failure', reason: 'timeout', detail: 'no answer' };
    case 'file':
      return response(200, { 'content-type': 'application/zip' }, 'PK');
    case 'empty':
      return response(200, { 'content-type': 'text/plain' }, '');
  }
}

const refusal = ({ by, retryAfter }: Refusals): FetchResult =>
  by === 'reset'
    ? { kind: 'failure', reason: 'connection', detail: 'reset' }
    : response(by, { ...HTML, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }, '<h1>Busy</h1>');

const MOVED = '<main><p>This page has moved to another place, some time ago, and says so in one sentence.</p></main>';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

const response = (status: number, headers: Readonly<Record<string, string>>, body: string): FetchResult => ({
  kind: 'response',
  status,
  headers,
  body: Buffer.from(body),
});

function pageHtml({ topic, language, links, canonical, noindex }: PlannedPage & { readonly kind: 'page' }): string {
  const head = [
    `<title>About ${topic}</title>`,
    ...(canonical === undefined ? [] : [`<link rel="canonical" href="${canonical}">`]),
    ...(noindex ? ['<meta name="robots" content="noindex">'] : []),
  ];
  const nav = links.map(({ href }) => `<a href="${href}">${href}</a>`).join(' ');
  const text = `What there is to say about ${topic} in ${LANGUAGE_NAMES[language]}, in one sentence of some length.`;
  return `<!doctype html><html lang="${language}"><head>${head.join('')}</head>
<body><nav>${nav}</nav><main><h1>About ${topic}</h1><p>${text}</p>${longText(topic)}</main></body></html>`;
}

/** Some pages have several chunks; a revision puts a paragraph between them. */
function longText(topic: string): string {
  const [own = '', ...revisions] = topic.split(' revised');
  if (!own.endsWith('8')) return '';
  const paragraph = (of: string) =>
    `<p>${Array.from({ length: 12 }, (_, n) => `Sentence ${n} of ${of} says what is known of ${own}.`).join(' ')}</p>`;
  const [first = '', second = '', ...others] = Array.from({ length: 6 }, (_, part) => paragraph(`part ${part}`));
  return [first, second, ...revisions.map((_, n) => paragraph(`revision ${n}`)), ...others].join('\n');
}

/** Pages with the same text are duplicates of each other. */
export const textOf = ({ topic, language }: PlannedPage & { readonly kind: 'page' }): string =>
  `${topic} in ${language}`;
