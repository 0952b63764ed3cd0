/** Tells the service which result was opened and whether an answer helped, for the analytics of the site's owner. */

import { publicPath, withKey } from './request.js';

/** @typedef {{ type: 'click', query: string, url: string, position: number }} Click */
/** @typedef {{ type: 'feedback', query: string, helpful: boolean, sessionId?: string }} Feedback */

/**
 * Sends an event, even if the visitor leaves the page. A failure has no effect on the visitor. Only `sendBeacon`
 * survives in every browser, but it cannot send a key.
 * @param {string} siteId @param {Click | Feedback} event @param {string | undefined} key
 */
export function recordEvent(siteId, event, key) {
  const path = publicPath(siteId, 'events');
  const body = new Blob([JSON.stringify(event)], { type: 'application/json' });
  if (!key && navigator.sendBeacon?.(path, body)) return;
  fetch(path, { method: 'POST', headers: withKey(key), body, keepalive: true }).catch(() => undefined);
}

/**
 * Calls `opened` with the address and the position, from 1, of each result that is opened by any of its links.
 * @param {HTMLElement} results @param {(url: string, position: number) => void} opened
 */
export function onOpened(results, opened) {
  /** @param {MouseEvent} event */
  const report = (event) => {
    const isOpening = event.type === 'click' || event.button === 1; // the middle button opens a tab
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const item = link?.closest('.result');
    if (!isOpening || !item) return;
    const url = /** @type {HTMLElement} */ (item).dataset.url;
    if (url) opened(url, [...results.children].indexOf(item) + 1);
  };
  results.addEventListener('click', report);
  results.addEventListener('auxclick', report);
}
