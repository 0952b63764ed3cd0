/** The choice of a site, with what is known about the chosen one. */

/** @import { Site } from './service.js' */

const statusWords = new Map([
  ['ready', 'Ready'],
  ['crawling', 'Crawling now'],
  ['pending', 'Not crawled yet'],
  ['error', 'Last crawl failed'],
]);

/** Shows the sites and marks the chosen one; an open list is touched only where something changed. @param {HTMLSelectElement} select @param {readonly Site[]} sites @param {Site} chosen */
export function showSites(select, sites, chosen) {
  const isSame = sites.length === select.length && sites.every((site, at) => select.options[at]?.value === site.siteId);
  if (!isSame) select.replaceChildren(...sites.map((site) => new Option('', site.siteId)));
  for (const [at, site] of sites.entries()) {
    const option = select.options[at];
    const label = siteLabel(site);
    if (option && option.text !== label) option.text = label;
  }
  if (select.value !== chosen.siteId) select.value = chosen.siteId;
  select.disabled = sites.length < 2;
}

/** Status, pages and host of the chosen site, as far as they are known. @param {HTMLElement} place @param {Site} site */
export function showSiteFacts(place, { status, pageCount, baseUrl }) {
  place.dataset.status = status;
  place.textContent = [statusWords.get(status) ?? status, pages(pageCount), URL.parse(baseUrl)?.host]
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
