/** The table of contents: links by tag, a mark at the section on screen, and navigation with arrow keys. */

/** @import { Operation } from './api-document.js' */

import { byId, element } from './element.js';
import { methodLabel } from './operation-view.js';

const wide = matchMedia('(min-width: 60rem)');

/** @typedef {{ id: string, title: string }} Chapter */

/** @param {readonly Chapter[]} chapters @param {ReadonlyMap<string, readonly Operation[]>} byTag */
export function showContents(chapters, byTag) {
  const general = element(
    'ul',
    { id: 'general' },
    ...chapters.map(({ id, title }) => element('li', {}, element('a', { href: `#${id}` }, title))),
  );
  const tags = [...byTag].flatMap(([tag, operations]) => [
    element('h2', { 'data-tag': tag }, element('a', { href: `#tag-${tag}` }, tag)),
    element('ul', { 'data-tag': tag }, ...operations.map(operationItem)),
  ]);
  byId('links').replaceChildren(general, ...tags);
  byId('links').addEventListener('keydown', moveByArrow);
  byId('links').addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') && !wide.matches) fold(false);
  });
  fold(wide.matches);
  wide.addEventListener('change', () => fold(wide.matches));
}

/**
 * Marks the link to the first visible section; the top 130 pixels may be covered by the header.
 * @param {readonly Element[]} sections in their order
 */
export function followReading(sections) {
  const seen = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      const first = sections.find((section) => seen.has(section));
      if (first) mark(first.id);
    },
    { rootMargin: '-130px 0px -40%' },
  );
  for (const section of sections) observer.observe(section);
}

export const shownLinks = () => [...byId('links').querySelectorAll('a')].filter((link) => link.checkVisibility());

/** @param {Operation} operation */
function operationItem({ operationId, method }) {
  const name = element('span', {}, operationId);
  const link = element('a', { href: `#${operationId}` }, methodLabel(method), name);
  return element('li', { 'data-operation': operationId }, link);
}

/** @param {string} id */
function mark(id) {
  for (const link of byId('links').querySelectorAll('a')) {
    const isHere = link.getAttribute('href') === `#${id}`;
    if (isHere) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
    if (isHere && wide.matches) reveal(link);
  }
}

/** Scrolls the contents to a link. `scrollIntoView` would scroll the page too. @param {Element} link */
function reveal(link) {
  const frame = byId('contents').getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) byId('contents').scrollTop += top - frame.top - frame.height / 2;
}

/** @param {KeyboardEvent} event */
function moveByArrow(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const links = shownLinks();
  const next = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement)) + step;
  (links[next] ?? (next < 0 ? byId('filter') : undefined))?.focus();
}

/** @param {boolean} isOpen */
const fold = (isOpen) => byId('contents').toggleAttribute('open', isOpen);
