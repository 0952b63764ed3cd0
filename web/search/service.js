/** Requests sites, searches and suggestions. Every answer is checked before the page uses it. */

import { getJson, list, number, publicPath, record, ServiceFault, text } from './request.js';

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
 *   results: Result[], closest: Result[], total: number, isLowerBound: boolean, timingMs: number, callsLeft: number | undefined,
 *   corrections: Correction[], isPhraseDropped: boolean, tagCounts: Map<string, number>
 * }} Answer `closest`: pages below the threshold, if there are no results. `callsLeft`: searches that the rate limit still admits now. `tagCounts`: pages with each tag.
 */
/** @typedef {{ text: string, url: string }} Suggestion */

/** @param {string} key @returns {Promise<Site[]>} */
export async function listSites(key) {
  const { body } = await getJson('api/sites', key);
  return list(body.sites)
    .map(toSite)
    .filter((site) => site.siteId !== '');
}

/** Returns the demo site, which needs no key. @returns {Promise<Site[]>} */
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
 * Searches a site. Throws a ServiceFault, or the abort's reason once `signal` is aborted.
 * @param {{ siteId: string, query: string, limit: number, exact?: boolean, tag?: string }} question
 * @param {string | undefined} key @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function searchSite({ siteId, query, limit, exact, tag }, key, signal) {
  const parameters = new URLSearchParams({
    ...{ q: query, limit: String(limit), facets: 'tags' },
    ...(exact && { exact: '1' }),
    ...(tag && { filters: JSON.stringify({ tags: tag }) }),
  });
  const { body, headers } = await getJson(publicPath(siteId, `search?${parameters}`), key, { signal });
  const callsLeft = headers.get('x-ratelimit-remaining');
  const results = list(body.results).slice(0, limit).map(toResult);
  return {
    results,
    closest: list(body.closest).map(toResult),
    total: Math.max(number(body.totalResults) ?? 0, results.length),
    isLowerBound: body.totalIsLowerBound === true,
    timingMs: number(body.timingMs) ?? 0,
    callsLeft: callsLeft === null ? undefined : number(Number(callsLeft)),
    corrections: list(body.corrections)
      .map(record)
      .map(({ from, to }) => ({ from: text(from), to: text(to) })),
    isPhraseDropped: body.phraseDropped === true,
    tagCounts: new Map(
      list(record(list(body.facets)[0]).values)
        .map(record)
        .map(({ value, count }) => [text(value), number(count) ?? 0]),
    ),
  };
}

/**
 * Returns page titles for the typed text. Throws as `searchSite` does.
 * @param {{ siteId: string, text: string }} typed @param {string | undefined} key @param {AbortSignal} signal
 * @returns {Promise<Suggestion[]>}
 */
export async function suggestInSite({ siteId, text: typed }, key, signal) {
  const parameters = new URLSearchParams({ q: typed });
  const { body } = await getJson(publicPath(siteId, `suggest?${parameters}`), key, { signal });
  return list(body.suggestions)
    .map(record)
    .map((suggestion) => ({ text: text(suggestion.text), url: text(suggestion.url) }))
    .filter(({ text, url }) => text && /^https?:/.test(url));
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
