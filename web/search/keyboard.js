/** Keys: `/` focuses the field, arrows move between it, the suggestions and the results, Escape clears it. */

/** @import { Suggestions } from './suggestions.js' */

import { countLinks, focusedResult, focusResult } from './result-list.js';

/**
 * @param {{ field: HTMLInputElement, results: HTMLElement, clear: () => void, suggestions: Suggestions }} parts
 */
export function addKeyboard({ field, results, clear, suggestions }) {
  function toField() {
    field.focus();
    field.select();
  }

  /** @param {number} index */
  const toResult = (index) => (index < 0 ? toField() : focusResult(results, index));

  /**
   * The action of each key while the result at `index` is focused. -1 is the field.
   * @type {Record<string, (index: number) => void>}
   */
  const inResults = {
    Escape: clear,
    ArrowDown: (index) => toResult(index + 1),
    ArrowUp: (index) => toResult(index - 1),
    Home: () => toResult(0),
    End: () => toResult(countLinks(results)),
  };
  /** The actions in the field. Other keys move the cursor. @type {Record<string, (index: number) => void>} */
  const inField = { Escape: clear, ArrowDown: inResults.ArrowDown ?? toResult };
  /**
   * The actions while suggestions are open. The arrows leave the list at its ends.
   * @type {Record<string, (index: number) => void>}
   */
  const inSuggestions = {
    Escape: suggestions.close,
    ArrowDown: () => {
      if (suggestions.move(1)) return;
      suggestions.close();
      toResult(0);
    },
    ArrowUp: () => suggestions.move(-1),
  };

  /** @param {EventTarget | null} target */
  function keysOf(target) {
    if (target === field) return suggestions.isOpen() ? inSuggestions : inField;
    if (target instanceof Element && results.contains(target)) return { ...inResults, '/': toField };
    return target instanceof Element && target.closest('input, textarea, select') ? {} : { '/': toField };
  }

  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keysOf(event.target)[event.key];
    if (!act || (event.shiftKey && event.key !== '/')) return;
    event.preventDefault();
    act(focusedResult(results));
  });
}
