/** Tags as filters: the buttons at results, and the chip of the tag that is chosen. */

/** @import { Answer } from './service.js' */

const shownTags = 4;

/**
 * The tags worth a button. One that only this result has, or that all results have, would leave nothing to choose.
 * @param {readonly string[]} tags @param {Pick<Answer, 'total' | 'tagCounts'>} answer
 */
export function usefulTags(tags, { total, tagCounts }) {
  return tags
    .filter((tag) => {
      const count = tagCounts.get(tag) ?? 0;
      return count > 1 && count < total;
    })
    .slice(0, shownTags);
}

/** @param {string} tag */
export function tagButton(tag) {
  const button = document.createElement('button');
  button.type = 'button';
  button.dataset.tag = tag;
  button.textContent = tag;
  button.title = `Only pages with the tag ${tag}`;
  return button;
}

/** @param {HTMLElement} results @param {(tag: string) => void} chosen */
export function onTagChosen(results, chosen) {
  results.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button?.dataset.tag) chosen(button.dataset.tag);
  });
}
