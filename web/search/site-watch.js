/** Reloads the list of sites while one of them is being crawled and the page is visible. */

import { ServiceFault } from './request.js';

/** @import { Site } from './service.js' */

const intervalMs = 2000;
const maxRounds = 900;
const pendingRounds = 15;

/**
 * Loads the list of sites repeatedly. Calls `failed` if the list was never loaded or the key is refused. After any
 * other error it loads the list again.
 * @param {() => Promise<Site[]>} load
 * @param {{ loaded: (sites: Site[]) => void, failed: (fault: unknown) => void }} listener
 */
export function createSiteWatch(load, listener) {
  let turn = 0;
  let timer = 0;
  let rounds = 0;
  let wasLoaded = false;

  async function refresh() {
    clearTimeout(timer);
    turn += 1;
    const mine = turn;
    try {
      const sites = await load();
      if (mine !== turn) return;
      wasLoaded = true;
      listener.loaded(sites);
      if (sites.some((site) => mayChange(site, rounds))) again();
    } catch (fault) {
      if (mine !== turn) return;
      const isRefused = fault instanceof ServiceFault && fault.status === 401;
      if (wasLoaded && !isRefused) again();
      else listener.failed(fault);
    }
  }

  function again() {
    rounds += 1;
    if (rounds < maxRounds && !document.hidden) timer = setTimeout(refresh, intervalMs);
  }

  /** Starts again, for a new key or at the user's request. */
  function restart() {
    wasLoaded = false;
    rounds = 0;
    return refresh();
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else if (wasLoaded) refresh();
  });
  return { restart };
}

/**
 * Tells whether a site may change soon. A site that was never crawled is watched only for a while.
 * @param {Site} site @param {number} rounds so far
 */
const mayChange = ({ status }, rounds) => status === 'crawling' || (status === 'pending' && rounds < pendingRounds);
