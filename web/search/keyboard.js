/** Keys beyond those of the browser: `/` finds the field, arrows walk through it and the links below it, Escape clears. */

import { countLinks, focusedResult, focusResult } from './result-list.js';

/** @param {{ field: HTMLInputElement, results: HTMLElement, clear: () => void }} parts */
export function addKeyboard({ field, results, clear }) {
  function toField() {
    field.focus();
    field.select();
  }

  /** @param {number} at */
  const toResult = (at) => (at < 0 ? toField() : focusResult(results, at));

  /** Where each key leads from the link at `at`, or from the field at -1. @type {Record<string, (at: number) => void>} */
  const inResults = {
    Escape: clear,
    ArrowDown: (at) => toResult(at + 1),
    ArrowUp: (at) => toResult(at - 1),
    Home: () => toResult(0),
    End: () => toResult(countLinks(results)),
  };
  /** The field keeps its own keys for the cursor. @type {Record<string, (at: number) => void>} */
  const inField = { Escape: clear, ArrowDown: inResults.ArrowDown ?? toResult };

  /** @param {EventTarget | null} target */
  function keysOf(target) {
    if (target === field) return inField;
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
