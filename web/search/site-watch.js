/** Keeps the list of sites current while one of them is being crawled and the page is seen. */

import { ServiceFault } from './service.js';

/** @import { Site } from './service.js' */

const everyMs = 2000;
const mostRounds = 900;
const pendingRounds = 15;

/** `failed` is told when the list was never loaded or the key is refused: other faults pass by themselves. @param {() => Promise<Site[]>} load @param {{ loaded: (sites: Site[]) => void, failed: (fault: unknown) => void }} listener */
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
      if (sites.some((site) => isMoving(site, rounds))) again();
    } catch (fault) {
      if (mine !== turn) return;
      const isRefused = fault instanceof ServiceFault && fault.status === 401;
      if (wasLoaded && !isRefused) again();
      else listener.failed(fault);
    }
  }

  function again() {
    rounds += 1;
    if (rounds < mostRounds && !document.hidden) timer = setTimeout(refresh, everyMs);
  }

  /** From the start, with what `load` gives now: for a new key or a person's retry. */
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

/** A new site may be about to be crawled, or never. @param {Site} site @param {number} rounds so far */
const isMoving = ({ status }, rounds) => status === 'crawling' || (status === 'pending' && rounds < pendingRounds);
