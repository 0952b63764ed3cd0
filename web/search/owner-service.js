/** Data that only the owner of a site sees: how its last crawl ended, and who may search. */

import { getJson, list, number, record, text } from './request.js';
import { webAddress } from './web-address.js';

/**
 * @typedef {{
 *   siteId: string, isOpen: boolean, allowedDomains: string[], host: string, lastError: string,
 *   limit: { indexed: number, discovered: number } | undefined
 * }} SiteDetails `limit`: the last crawl ended by a limit
 */

/** @param {string} siteId @param {string} key @returns {Promise<SiteDetails>} */
export async function siteDetails(siteId, key) {
  return toDetails((await getJson(sitePath(siteId), key)).body);
}

/**
 * Lets visitors of the owner's named websites search the site, or else visitors of the site's own website.
 * @param {SiteDetails} details @param {string} key @returns {Promise<SiteDetails>}
 */
export async function openToVisitors({ siteId, allowedDomains, host }, key) {
  const domains = allowedDomains.length > 0 ? allowedDomains : [host];
  const publicAccess = { enabled: true, searchEnabled: true, allowedDomains: domains };
  const { body } = await getJson(sitePath(siteId), key, { method: 'PUT', body: { publicAccess } });
  return toDetails(record(body.site));
}

/** @param {string} siteId */
const sitePath = (siteId) => `api/sites/${encodeURIComponent(siteId)}`;

/** @param {Record<string, unknown>} site @returns {SiteDetails} */
export function toDetails(site) {
  const { enabled, searchEnabled, allowedDomains } = record(site.publicAccess);
  const { endReason, indexed, unchanged, discovered } = record(site.lastCrawl);
  return {
    siteId: text(site.siteId),
    isOpen: enabled === true && searchEnabled === true,
    allowedDomains: list(allowedDomains).map(text).filter(Boolean),
    host: webAddress(text(site.baseUrl))?.host ?? '',
    lastError: text(site.lastError),
    limit:
      endReason === 'limit'
        ? { indexed: (number(indexed) ?? 0) + (number(unchanged) ?? 0), discovered: number(discovered) ?? 0 }
        : undefined,
  };
}

/** Tells how the last crawl ended, if the owner should act. @param {SiteDetails} details */
export function crawlNews({ lastError, limit }) {
  if (lastError) return `The last crawl failed: ${lastError}`;
  if (!limit) return '';
  const [indexed, discovered] = [limit.indexed, limit.discovered].map((count) => count.toLocaleString());
  const todo = 'Raise maxPages in the site’s crawlerConfig, then crawl again.';
  return `${indexed} of ${discovered} pages: limit reached. ${todo}`;
}
