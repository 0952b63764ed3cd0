/** @import { Site } from './service.js' */

import { webAddress } from './web-address.js';

const statusWords = new Map([
  ['ready', 'Ready'],
  ['crawling', 'Crawling now'],
  ['pending', 'Not crawled yet'],
  ['error', 'Last crawl failed'],
]);

/**
 * Shows the sites and marks the chosen one. Changes only the differences, so that an open list stays open.
 * @param {HTMLSelectElement} select @param {readonly Site[]} sites @param {Site} chosen
 */
export function showSites(select, sites, chosen) {
  const isSame =
    sites.length === select.length && sites.every((site, index) => select.options[index]?.value === site.siteId);
  if (!isSame) select.replaceChildren(...sites.map((site) => new Option('', site.siteId)));
  for (const [index, site] of sites.entries()) {
    const option = select.options[index];
    const label = siteLabel(site);
    if (option && option.text !== label) option.text = label;
  }
  if (select.value !== chosen.siteId) select.value = chosen.siteId;
  select.disabled = sites.length < 2;
}

/**
 * Shows the status, number of pages and host of a site, as far as they are known.
 * @param {HTMLElement} element @param {Site} site
 */
export function showSiteFacts(element, { status, pageCount, baseUrl }) {
  element.dataset.status = status;
  element.textContent = [statusWords.get(status) ?? status, pages(pageCount), webAddress(baseUrl)?.host]
    .filter(Boolean)
    .join(' · ');
}

/** @param {number | undefined} count */
function pages(count) {
  if (count === undefined) return '';
  if (count === 0) return 'no pages';
  return `${count.toLocaleString()} ${count === 1 ? 'page' : 'pages'}`;
}

/** @param {Site} site */
function siteLabel({ name, status, pageCount }) {
  if (status === 'crawling') return `${name} (crawling)`;
  return pageCount === 0 ? `${name} (no pages)` : name;
}
