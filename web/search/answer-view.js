/** The part of the page below the field: results, or a message if there are none. */

/** @import { Answer, Site } from './service.js' */
/** @import { Question } from './live-search.js' */

import { canShowMore } from './more-results.js';
import { showResults } from './result-list.js';

const spokenAfterMs = 600;
let spokenTimer = 0;

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {'start' | 'crawling' | 'bare' | 'none' | 'siteless' | 'results' | 'fault'} state */
export function showState(state) {
  for (const part of byId('answer').querySelectorAll('[data-when]')) {
    part.toggleAttribute('hidden', part.getAttribute('data-when') !== state);
  }
}

/**
 * Dims results of an earlier query, and shows a moving line while an answer is awaited.
 * @param {{ isStale: boolean, isBusy: boolean }} now
 */
export function showProgress({ isStale, isBusy }) {
  byId('page').classList.toggle('stale', isStale);
  byId('page').classList.toggle('busy', isBusy);
  byId('answer').setAttribute('aria-busy', String(isBusy));
}

/** @param {Site} site */
export function showStart(site) {
  showCount('');
  showState(startState(site));
}

/**
 * @param {Question} question @param {Answer} answer @param {Site} site
 * @param {HTMLElement} field gets the focus if the focused result disappears
 */
export function showAnswer(question, answer, site, field) {
  const { results, closest, total, isLowerBound, timingMs } = answer;
  const count = `${total.toLocaleString()}${isLowerBound ? '+' : ''} ${total === 1 ? 'result' : 'results'}`;
  showCount(
    `${count} · ${Math.round(timingMs).toLocaleString()} ms`,
    results.length ? `${count} for ${question.query}` : nothingFound(question, answer),
  );
  showCorrections(question, answer);
  byId('none-query').textContent = question.query;
  byId('none-crawling').hidden = site.status !== 'crawling';
  byId('none-tag').hidden = !question.tag;
  byId('closest').hidden = closest.length === 0;
  showResults(byId('results'), { ...answer, results: [...results, ...closest] }, field);
  byId('more').hidden = !canShowMore(question, answer);
  if (results.length + closest.length) showState('results');
  else showState(site.pageCount === 0 ? startState(site) : 'none');
}

/** @param {Question} question @param {Answer} answer */
function nothingFound({ query }, { closest }) {
  const pages = `${closest.length} ${closest.length === 1 ? 'page comes' : 'pages come'} closest`;
  return closest.length ? `Nothing is clearly about ${query}. ${pages}.` : `Nothing found for ${query}`;
}

/**
 * Shows the words that were searched instead of the typed ones.
 * @param {Question} question @param {Answer} answer
 */
function showCorrections({ query }, { corrections, isPhraseDropped }) {
  byId('corrected').hidden = corrections.length === 0;
  byId('corrected-to').textContent = corrections.reduce((text, { from, to }) => text.replace(from, () => to), query);
  byId('as-typed').textContent = query;
  byId('phrase-dropped').hidden = !isPhraseDropped;
}

/**
 * Shows the count. A screen reader announces it when typing pauses, not at every letter.
 * @param {string} count @param {string} [spoken]
 */
export function showCount(count, spoken = count) {
  byId('count').textContent = count;
  clearTimeout(spokenTimer);
  spokenTimer = setTimeout(() => {
    byId('spoken').textContent = spoken;
  }, spokenAfterMs);
}

/** @param {Site} site */
function startState({ pageCount, status }) {
  if (pageCount !== 0) return 'start';
  return status === 'crawling' ? 'crawling' : 'bare';
}
