/** Requests to the service that served this page; every answer is checked before the page uses it. */

/**
 * @typedef {{ siteId: string, name: string, baseUrl: string, status: string, pageCount: number | undefined }} Site
 *   `pageCount` and a status are known only with a key.
 */
/**
 * @typedef {{
 *   url: string, title: string, snippet: string, score: number, highlights: unknown, tags: string[],
 *   publishedAt: string, section: { heading: string, anchor: string } | undefined
 * }} Result
 */
/** @typedef {{ from: string, to: string }} Correction */
/**
 * @typedef {{
 *   results: Result[], total: number, isLowerBound: boolean, timingMs: number, callsLeft: number | undefined,
 *   corrections: Correction[], isPhraseDropped: boolean
 * }} Answer `callsLeft`: searches that the rate limit still admits now.
 */
/** @typedef {{ text: string, url: string }} Suggestion */

/** @typedef {{ url: string, title: string }} ChatSource */
/** @typedef {{ type: 'sources', sources: ChatSource[] } | { type: 'token', text: string }} ChatEvent */

const timeoutMs = 15_000;
const messages = new Map([
  [0, 'The service does not answer. Is it running?'],
  [401, 'The key is no longer valid.'],
  [403, 'This site does not allow searches from this page.'],
  [404, 'This site no longer exists.'],
  [429, 'Too many searches in a short time.'],
]);

/** A request that failed; status 0: no answer. `message` is meant for people, `retryAfter` is in seconds. */
export class ServiceFault extends Error {
  /** @param {number} status @param {string} [said] @param {number} [retryAfter] */
  constructor(status, said, retryAfter) {
    super(said || messages.get(status) || 'Something went wrong in the service.');
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** @param {string} key @returns {Promise<Site[]>} */
export async function listSites(key) {
  const { body } = await getJson('api/sites', key);
  return list(body.sites)
    .map(toSite)
    .filter((site) => site.siteId !== '');
}

/** The site that needs no key. @returns {Promise<Site[]>} */
export async function listDemoSite() {
  try {
    const { body } = await getJson('demo-site.json', undefined);
    return [toSite(body)].filter((site) => site.siteId !== '');
  } catch (fault) {
    if (fault instanceof ServiceFault && fault.status === 404) return [];
    throw fault;
  }
}

/**
 * Throws a ServiceFault, or the abort's reason once `signal` is aborted.
 * @param {{ siteId: string, query: string, limit: number, exact?: boolean }} question
 * @param {string | undefined} key @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function searchSite({ siteId, query, limit, exact }, key, signal) {
  const parameters = new URLSearchParams({ q: query, limit: String(limit), ...(exact && { exact: '1' }) });
  const path = `v1/public/sites/${encodeURIComponent(siteId)}/search?${parameters}`;
  const { body, headers } = await getJson(path, key, signal);
  const callsLeft = headers.get('x-ratelimit-remaining');
  const results = list(body.results).slice(0, limit).map(toResult);
  return {
    results,
    total: Math.max(number(body.totalResults) ?? 0, results.length),
    isLowerBound: body.totalIsLowerBound === true,
    timingMs: number(body.timingMs) ?? 0,
    callsLeft: callsLeft === null ? undefined : number(Number(callsLeft)),
    corrections: list(body.corrections)
      .map(record)
      .map(({ from, to }) => ({ from: text(from), to: text(to) })),
    isPhraseDropped: body.phraseDropped === true,
  };
}

const longestFrame = 200_000;

/**
 * The events of a streamed answer. Ends without any if the site has no chat; throws when the connection breaks.
 * @param {{ siteId: string, query: string }} asked @param {string | undefined} key @param {AbortSignal} signal
 * @returns {AsyncGenerator<ChatEvent>}
 */
export async function* askSite({ siteId, query }, key, signal) {
  const response = await fetch(`v1/public/sites/${encodeURIComponent(siteId)}/chat`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ message: query }),
    signal,
  });
  if (!response.ok || !response.body) return;
  let rest = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + part).split('\n\n');
    rest = frames.pop() ?? '';
    if (rest.length > longestFrame) return;
    for (const frame of frames) yield* chatEvents(frame);
  }
}

/** @param {string} frame @returns {ChatEvent[]} */
export function chatEvents(frame) {
  const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
  const body = name === 'sources' || name === 'token' ? record(JSON.parse(data)) : {};
  if (name === 'token') return [{ type: name, text: text(body.text) }];
  if (name !== 'sources') return [];
  const sources = list(body.sources).map((item) => ({ url: text(record(item).url), title: text(record(item).title) }));
  return [{ type: name, sources }];
}

/**
 * Page titles for what is typed. Throws as `searchSite` does.
 * @param {{ siteId: string, text: string }} typed @param {string | undefined} key @param {AbortSignal} signal
 * @returns {Promise<Suggestion[]>}
 */
export async function suggestInSite({ siteId, text: typed }, key, signal) {
  const parameters = new URLSearchParams({ q: typed });
  const { body } = await getJson(`v1/public/sites/${encodeURIComponent(siteId)}/suggest?${parameters}`, key, signal);
  return list(body.suggestions)
    .map(record)
    .map((suggestion) => ({ text: text(suggestion.text), url: text(suggestion.url) }))
    .filter(({ text, url }) => text && /^https?:/.test(url));
}

/**
 * @param {string} path @param {string | undefined} key @param {AbortSignal} [signal]
 * @returns {Promise<{ body: Record<string, unknown>, headers: Headers }>}
 */
async function getJson(path, key, signal) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(path, {
    headers: { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch(() => undefined);
  const parsed = await response?.json().catch(() => undefined);
  signal?.throwIfAborted();
  const body = record(parsed);
  if (response?.ok && parsed) return { body, headers: response.headers };
  const retryAfter = number(body.retryAfter) ?? number(Number(response?.headers.get('retry-after') || Number.NaN));
  throw new ServiceFault(response?.status ?? 0, text(body.error).slice(0, 300), retryAfter);
}

/** @param {unknown} value @returns {Site} */
function toSite(value) {
  const site = record(value);
  const siteId = text(site.siteId);
  return {
    siteId,
    name: text(site.name) || siteId,
    baseUrl: text(site.baseUrl),
    status: text(site.status),
    pageCount: number(site.pageCount),
  };
}

/** @param {unknown} value @returns {Result} */
function toResult(value) {
  const result = record(value);
  const metadata = record(result.metadata);
  const snippet = text(result.snippet);
  return {
    url: text(result.url),
    title: text(result.title),
    snippet: snippet || text(metadata.summary),
    score: number(result.score) ?? 0,
    highlights: snippet ? result.highlights : [],
    tags: list(metadata.tags).map(text).filter(Boolean),
    publishedAt: text(metadata.publishedAt),
    section: toSection(result.section),
  };
}

/** @param {unknown} value @returns {Result['section']} */
function toSection(value) {
  const { heading, anchor } = record(value);
  return text(heading) && text(anchor) ? { heading: text(heading), anchor: text(anchor) } : undefined;
}

/** @param {unknown} value @returns {Record<string, unknown>} */
const record = (value) => (typeof value === 'object' && value !== null ? { ...value } : {});
/** @param {unknown} value @returns {unknown[]} */
const list = (value) => (Array.isArray(value) ? value : []);
/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : '');
/** @param {unknown} value */
const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
