/** The list of results. Texts are inserted as text only, and only http(s) addresses become links. */

/** @import { Answer, Result } from './service.js' */

import { isDebug } from './address.js';
import { tagButton, usefulTags } from './tags.js';
import { webAddress } from './web-address.js';

const shownMarks = 100;

/**
 * Replaces the list. A focused result keeps the focus. If it has disappeared, `field` gets the focus.
 * @param {HTMLElement} list @param {Answer} answer @param {HTMLElement} field
 */
export function showResults(list, answer, field) {
  const focused = document.activeElement;
  const focusedHref = focused instanceof HTMLAnchorElement && list.contains(focused) ? focused.href : undefined;
  list.replaceChildren(...answer.results.map((result) => toItem(result, answer)));
  if (focusedHref === undefined) return;
  const link = links(list).find(({ href }) => href === focusedHref);
  (link ?? field).focus({ preventScroll: true });
}

/** @param {HTMLElement} list */
export const countLinks = (list) => links(list).length;

/** @param {HTMLElement} list @param {number} index from 0; beyond the end, the last result gets the focus */
export function focusResult(list, index) {
  links(list)
    .slice(0, index + 1)
    .at(-1)
    ?.focus();
}

/** Returns the index of the focused result, or -1. @param {HTMLElement} list */
export function focusedResult(list) {
  return links(list).indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
}

/** @param {HTMLElement} list @returns {HTMLAnchorElement[]} */
const links = (list) => [...list.querySelectorAll(/** @type {'a'} */ ('.title a'))];

/** @param {Result} result @param {Answer} answer */
function toItem(result, answer) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById('result'));
  const item = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (item.querySelector(selector));
  const address = webAddress(result.url);
  part('.result').dataset.url = result.url;
  const title = element(address ? 'a' : 'span', result.title || result.url);
  if (address) title.setAttribute('href', address.href);
  part('.title').replaceChildren(title);
  part('.where').textContent = address ? readable(address) : result.url;
  showSection(part('.section'), result.section, address);
  part('.snippet').append(...marked(result.snippet, result.highlights));
  showDate(part('time'), result.publishedAt);
  part('.facts').append(...usefulTags(result.tags, answer).map(tagButton));
  part('.facts').hidden = !part('.facts').childElementCount;
  showScore(part('.score'), result.score);
  return item;
}

/** @param {HTMLElement} place @param {number} given */
function showScore(place, given) {
  if (!isDebug) return place.remove();
  const score = Math.min(1, Math.max(0, given));
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (place.querySelector(selector));
  part('.gauge').style.setProperty('--score', String(score));
  part('.figure').textContent = score.toFixed(2);
}

/**
 * Shows a link to the section that contains the snippet.
 * @param {HTMLElement} place @param {Result['section']} section @param {URL | undefined} address
 */
function showSection(place, section, address) {
  if (!section || !address) return place.remove();
  const target = new URL(address);
  target.hash = section.anchor;
  const link = element('a', section.heading);
  link.setAttribute('href', target.href);
  place.replaceChildren(link);
}

/** Formats an address as `example.com › guides › start`. @param {URL} address */
function readable(address) {
  const parts = [address.host, ...address.pathname.split('/').filter(Boolean)].map(decoded);
  return parts.join(' › ') + decoded(address.search);
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the snippet with its ranges marked. Ignores ranges that are malformed, outside the snippet or out of order.
 * @param {string} snippet @param {unknown} ranges
 */
function marked(snippet, ranges) {
  /** @type {(string | Node)[]} */
  const pieces = [];
  let done = 0;
  for (const range of Array.isArray(ranges) ? ranges.slice(0, shownMarks) : []) {
    const [start, end] = Array.isArray(range) ? range : [];
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < done || end <= start || end > snippet.length)
      continue;
    pieces.push(snippet.slice(done, start), element('mark', snippet.slice(start, end)));
    done = end;
  }
  return [...pieces, snippet.slice(done)];
}

/**
 * Shows a date in UTC, as the page stated it, because a day has no time zone.
 * @param {HTMLElement} time @param {string} publishedAt
 */
function showDate(time, publishedAt) {
  const date = new Date(publishedAt);
  if (!publishedAt || Number.isNaN(date.getTime())) return time.remove();
  time.setAttribute('datetime', publishedAt);
  time.textContent = date.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
