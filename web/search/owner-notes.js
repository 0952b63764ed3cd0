/**
 * Shows notes for the owner of the chosen site: how its last crawl ended, and a button if visitors cannot search it.
 */

import { crawlNews, openToVisitors, siteDetails } from './owner-service.js';
import { ServiceFault } from './request.js';

/** @import { SiteDetails } from './owner-service.js' */

/**
 * @param {{
 *   crawl: HTMLElement, closed: HTMLElement, host: HTMLElement, open: HTMLButtonElement, fault: HTMLElement
 * }} parts
 * @param {() => void} opened called when visitors can search the site
 */
export function createOwnerNotes({ crawl, closed, host, open, fault }, opened) {
  /** @type {SiteDetails | undefined} */
  let details;
  /** @type {string | undefined} */
  let key;
  let turn = 0;

  /** @param {SiteDetails | undefined} shown */
  function show(shown) {
    details = shown;
    const news = shown ? crawlNews(shown) : '';
    crawl.textContent = news;
    crawl.hidden = !news;
    closed.hidden = !shown || shown.isOpen;
    host.textContent = shown?.allowedDomains.join(', ') || shown?.host || '';
    fault.textContent = '';
  }

  open.addEventListener('click', async () => {
    if (!details || !key) return;
    const mine = turn;
    open.disabled = true;
    try {
      const changed = await openToVisitors(details, key);
      if (mine !== turn) return;
      show(changed);
      opened();
    } catch (reason) {
      fault.textContent = reason instanceof ServiceFault ? reason.message : 'The site could not be changed.';
    } finally {
      open.disabled = false;
    }
  });

  return {
    /**
     * Shows the notes of a site. There are none without a key.
     * @param {string | undefined} siteId @param {string | undefined} ownKey
     */
    async of(siteId, ownKey) {
      turn += 1;
      const mine = turn;
      key = ownKey;
      if (details?.siteId !== siteId) show(undefined);
      if (!siteId || !ownKey) return show(undefined);
      const found = await siteDetails(siteId, ownKey).catch(() => undefined);
      if (mine === turn) show(found);
    },
  };
}
