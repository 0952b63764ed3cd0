import { html, type TemplateResult } from 'lit/html.js';
import { filled, type Texts } from '../labels/labels.ts';
import { countOf, faultOf } from './notices.ts';
import type { Search } from './search.ts';

/** Typing is not interrupted: what changes within this is said once. */
const PAUSE_MS = 500;

/**
 * A polite live region. Of two elements one is empty, so that the same sentence is announced again, which a screen reader
 * would not do for an element that stays as it is.
 */
export type LiveRegion = { readonly say: (text: string) => void; readonly template: () => TemplateResult };

export function createLiveRegion(update: () => void): LiveRegion {
  let texts = ['', ''];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    say(text) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        texts = texts[0] === '' ? [text, ''] : ['', text];
        update();
      }, PAUSE_MS);
    },
    template: () =>
      html`<div class="unseen" role="status" aria-live="polite">${texts.map((text) => html`<div>${text}</div>`)}</div>`,
  };
}

/** Returns a function that says what the last search brought, once for each. */
export function spokenChanges(search: Search, region: LiveRegion): (texts: Texts) => void {
  let last: readonly unknown[] = [];
  return (texts) => {
    const { found, error, query } = search;
    const current = [error ?? found, query === ''];
    if (current.every((value, i) => value === last[i])) return;
    last = current;
    region.say(query === '' ? '' : sentenceOf(search, texts));
  };
}

function sentenceOf(search: Search, texts: Texts): string {
  const { found, error } = search;
  if (error) return faultOf(search, texts);
  if (!found) return '';
  if (found.results.length > 0) return countOf(found, texts);
  const closest = found.closest ?? [];
  return closest.length > 0
    ? texts.labels.closest
    : `${filled(texts.labels.none, { query: found.query })} ${texts.labels.noneHint}`;
}
