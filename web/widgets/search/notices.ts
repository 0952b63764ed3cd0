import { html, nothing, type TemplateResult } from 'lit/html.js';
import { filled, partsOf, type Texts } from '../labels/labels.ts';
import type { Found, Search } from './search.ts';

type Part = TemplateResult | typeof nothing;

/** The sentence that says how many pages were found. */
export function countOf({ totalResults, totalIsLowerBound }: Found, { labels, language }: Texts): string {
  const count = totalResults.toLocaleString(language);
  if (totalIsLowerBound) return filled(labels.countMore, { count });
  const isOne = new Intl.PluralRules(language).select(totalResults) === 'one';
  return filled(isOne ? labels.countOne : labels.countOther, { count });
}

/** Whether no page was found, and none is near. */
export const isNothing = ({ results, closest = [] }: Found): boolean => results.length + closest.length === 0;

/** What the service did with the query, before its results. */
export function notices({ found, isExact }: Search, { labels }: Texts, searchExactly: () => void): Part {
  if (!found || isNothing(found)) return nothing;
  const { corrections = [], phraseDropped, results } = found;
  const typed = html`<q dir="auto">${found.query}</q>`;
  return html`
    ${
      corrections.length > 0 && !isExact
        ? html`<p class="notice" part="notice">
            ${partsOf(labels.corrected, { query: html`<b dir="auto">${correctedQuery(found)}</b>` })}
            <button class="plain" type="button" @click=${searchExactly}>
              ${partsOf(labels.exact, { query: typed })}
            </button>
          </p>`
        : nothing
    }
    ${phraseDropped ? html`<p class="notice" part="notice">${labels.phraseDropped}</p>` : nothing}
    ${results.length === 0 ? html`<p class="notice" part="notice">${labels.closest}</p>` : nothing}
  `;
}

/** The query in the spelling that was searched. */
const correctedQuery = ({ query, corrections = [] }: Found): string =>
  corrections.reduce((text, { from, to }) => text.replace(from, () => to), query);

/** No page matches, and none is near. */
export function emptyAnswer({ query }: Found, { labels }: Texts): TemplateResult {
  return html`<div class="state" part="none">
    <p class="lead">${partsOf(labels.none, { query: html`<q dir="auto">${query}</q>` })}</p>
    <p>${labels.noneHint}</p>
    <slot name="none"></slot>
  </div>`;
}

/** The sentence for a search that failed. */
export function faultOf({ error, waitsUntil }: Search, { labels }: Texts): string {
  if (waitsUntil) return filled(labels.wait, { seconds: Math.max(1, Math.ceil((waitsUntil - Date.now()) / 1000)) });
  if (error?.code === 'unreachable') return navigator.onLine ? labels.unreachable : labels.offline;
  return `${labels.failed} ${error?.message ?? ''}`;
}

/** What went wrong, with a button unless the search goes on by itself or would fail again. */
export function fault(search: Search, texts: Texts): TemplateResult {
  const { error, waitsUntil, again } = search;
  const mayRepeat = !waitsUntil && navigator.onLine && !(error && error.status >= 400 && error.status < 500);
  return html`<div class="state fault" part="error">
    <p class="lead">${faultOf(search, texts)}</p>
    ${mayRepeat ? html`<button class="chip" type="button" @click=${again}>${texts.labels.retry}</button>` : nothing}
  </div>`;
}
