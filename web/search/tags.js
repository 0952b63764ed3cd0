/** Tags as filters: the buttons at results, and the chip of the chosen tag. */

/** @import { Answer } from './service.js' */

const shownTags = 4;

/**
 * Returns the tags worth a button. A tag of only this result, or of all results, would not narrow the choice.
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
