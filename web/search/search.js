import { commitAddress, draftAddress, onReturn, readAddress } from './address.js';
import { byId, showAnswer, showCount, showProgress, showStart, showState } from './answer-view.js';
import { createChatAnswer } from './chat-answer.js';
import { askSite } from './chat-service.js';
import { createFaultNotice } from './fault-notice.js';
import { addKeyboard } from './keyboard.js';
import { createLiveSearch } from './live-search.js';
import {
  forgetKey,
  rememberAnswers,
  rememberedAnswers,
  rememberedSite,
  rememberKey,
  rememberSite,
  tabKey,
  takeLinkKey,
} from './memory.js';
import { firstLimit, nextLimit } from './more-results.js';
import { createOwnerNotes } from './owner-notes.js';
import { ServiceFault } from './request.js';
import { countLinks, focusResult } from './result-list.js';
import { listDemoSite, listSites, searchSite, suggestInSite } from './service.js';
import { showSiteFacts, showSites } from './site-picker.js';
import { createSiteWatch } from './site-watch.js';
import { createSuggestions } from './suggestions.js';
import { onTagChosen } from './tags.js';
import { onOpened, recordEvent } from './visit-events.js';

/** @import { Answer, Site } from './service.js' */
/** @import { Question } from './live-search.js' */

/** Whether the device has a touch screen. There a focused field opens the keyboard over the page. */
const isTouch = matchMedia('(pointer: coarse)');

const field = /** @type {HTMLInputElement} */ (byId('query'));
const select = /** @type {HTMLSelectElement} */ (byId('site-select'));
const resultList = byId('results');

/** Reasons why the site of a link is not shown: for the holder of a key, and for a visitor. */
const NOT_YOURS = 'The site in this link is not one of yours, so another one is shown.';
const NEEDS_KEY = 'Without a key this page shows only the demo site, and not the site in this link.';

/** @type {string | undefined} */
let key;
/** @type {string | undefined} The key of a link, while the page asks whether it replaces the key in use. */
let otherKey;
/** @type {readonly Site[]} */
let sites = [];
/** @type {Site | undefined} The chosen site. */
let site;
/** @type {string | undefined} Only pages with this tag are searched. */
let tag;
/** Whether the words are searched as typed. Any change of the words resets it. */
let exact = false;
/** @type {Question | undefined} The question whose results are on the page. */
let shown;

const notice = createFaultNotice({
  box: byId('fault'),
  text: byId('fault-text'),
  wait: byId('fault-wait'),
  button: byId('fault-retry'),
  field,
});
const live = createLiveSearch((question, signal) => searchSite(question, key, signal), {
  asking: () => showProgress({ isStale: true, isBusy: true }),
  answered: takeAnswer,
  failed: takeSearchFault,
});
const answersOn = /** @type {HTMLInputElement} */ (byId('answers'));
const chat = createChatAnswer(
  { box: byId('chat'), text: byId('chat-text'), sources: byId('chat-sources'), verdict: byId('chat-verdict') },
  (asked, signal) => askSite(asked, key, signal),
  {
    isOn: () => answersOn.checked,
    judged: ({ siteId, query }, { sessionId, helpful }) =>
      recordEvent(siteId, { type: 'feedback', query, helpful, ...(sessionId && { sessionId }) }, key),
  },
);
const ownerNotes = createOwnerNotes(
  {
    ...{ crawl: byId('crawl-news'), closed: byId('closed'), host: byId('closed-host'), fault: byId('closed-fault') },
    open: /** @type {HTMLButtonElement} */ (byId('open')),
  },
  () => {
    field.focus();
    run();
  },
);
const watch = createSiteWatch(() => (key ? listSites(key) : listDemoSite()), {
  loaded: takeSites,
  failed: takeSitesFault,
});

const suggestions = createSuggestions({
  field,
  list: byId('suggestions'),
  ask: async (text, signal) => (site ? suggestInSite({ siteId: site.siteId, text }, key, signal) : []),
});

const query = () => field.value.trim();
/** @param {string | undefined | null} siteId */
const siteOf = (siteId) => sites.find((candidate) => candidate.siteId === siteId);

/** Searches for the text of the field at once. @param {number} [limit] */
async function run(limit = firstLimit) {
  byId('clear').hidden = !field.value;
  document.title = query() ? `${query()} · Site search` : 'Site search';
  if (!site) return;
  if (query())
    return live.now({ siteId: site.siteId, query: query(), limit, ...(exact && { exact }), ...(tag && { tag }) });
  live.stop();
  chat.stop();
  settle();
  shown = undefined;
  showStart(site);
}

/** @param {Question} question @param {Answer} answer */
function takeAnswer(question, answer) {
  if (!site) return;
  settle();
  const isNew = question.query !== shown?.query || question.siteId !== shown.siteId || question.tag !== shown.tag;
  shown = question;
  showAnswer(question, answer, site, field);
  if (answer.results.length) chat.after(question);
  else chat.stop();
  if (isNew) scrollTo({ top: 0 });
}

/**
 * Shows a fault. A temporary one leaves the earlier results on the page, dimmed. Any other removes them.
 * @param {Question} question @param {unknown} fault
 */
function takeSearchFault(question, fault) {
  const status = fault instanceof ServiceFault ? fault.status : 0;
  if (status === 401 && key) return takeSitesFault(fault);
  const isTemporary = status === 0 || status === 429 || status >= 500;
  if (!isTemporary) shown = undefined;
  showProgress({ isStale: shown !== undefined, isBusy: false });
  showCount('');
  if (!shown) showState('fault');
  const isClosed = fault instanceof ServiceFault && fault.code === 'feature_disabled';
  if (key && isClosed) return notice.hide(); // ownerNotes shows the reason
  notice.show(fault, isTemporary ? () => run(question.limit) : undefined);
}

function settle() {
  showProgress({ isStale: false, isBusy: false });
  notice.hide();
}

/** @param {readonly Site[]} found */
function takeSites(found) {
  const before = site;
  const named = readAddress().siteId;
  sites = found;
  site = siteOf(before?.siteId) ?? siteOf(named) ?? siteOf(rememberedSite()) ?? found[0];
  byId('hint').hidden = key !== undefined || !site;
  byId('note').hidden = !site || !named || siteOf(named) !== undefined;
  byId('note').textContent = key ? NOT_YOURS : NEEDS_KEY;
  byId('site').hidden = !site;
  if (!site) return showSiteless();
  choose(site);
  if (before?.siteId !== site.siteId || before.status !== site.status) ownerNotes.of(site.siteId, key);
  if (before?.pageCount !== site.pageCount) live.forget();
  if (isNews(before, site)) run(shown?.limit);
}

/**
 * Tells whether a change of the site justifies a new search. A few more pages do not, since searches are limited per
 * minute.
 * @param {Site | undefined} before @param {Site} now
 */
function isNews(before, now) {
  const hadPages = before?.pageCount !== 0;
  return before?.siteId !== now.siteId || before.status !== now.status || hadPages !== (now.pageCount !== 0);
}

/** Removes a key that the service refuses. The demo can still be searched. @param {unknown} fault */
function takeSitesFault(fault) {
  settle();
  if (key && fault instanceof ServiceFault && fault.status === 401) {
    forgetKey();
    return otherKey ? useOtherKey() : start(undefined, true);
  }
  showState('fault');
  notice.show(fault, watch.restart);
}

function showSiteless() {
  settle();
  ownerNotes.of(undefined, undefined);
  byId('siteless-key').hidden = !key;
  byId('siteless-open').hidden = Boolean(key);
  showState('siteless');
}

/** @param {Site} chosen */
function choose(chosen) {
  site = chosen;
  showSites(select, sites, chosen);
  showSiteFacts(byId('site-facts'), chosen);
}

/** @param {string | undefined} newKey @param {boolean} [isRefused] */
function start(newKey, isRefused = false) {
  key = newKey;
  site = undefined;
  live.stop();
  live.forget();
  byId('refused').hidden = !isRefused;
  watch.restart();
}

/** Starts with the key of a link, which may come from anybody: it replaces a working key only if the reader agrees. */
function startWithLink() {
  const linked = takeLinkKey();
  const used = tabKey();
  askAboutKey(linked !== used && used ? linked : undefined);
  if (linked && !otherKey) rememberKey(linked);
  if (key !== tabKey() || !linked) start(tabKey());
}

/** @param {string | undefined} asked */
function askAboutKey(asked) {
  otherKey = asked;
  byId('other-key').hidden = !asked;
}

function useOtherKey() {
  if (!otherKey) return;
  rememberKey(otherKey);
  askAboutKey(undefined);
  start(tabKey());
}

/** @param {Site} chosen */
const placeIn = ({ siteId }) => ({ siteId, query: query(), tag, exact });

function commit() {
  if (site) commitAddress(placeIn(site));
}

/** @param {string | undefined} chosen */
function showTag(chosen) {
  tag = chosen;
  byId('chosen-tag').hidden = !chosen;
  byId('tag-name').textContent = chosen ?? '';
}

/** @param {string | undefined} chosen */
function filterByTag(chosen) {
  commit();
  showTag(chosen);
  commit();
  field.focus({ preventScroll: true });
  run();
}

function clear() {
  if (!field.value) return;
  suggestions.close();
  commit();
  field.value = '';
  exact = false;
  field.focus();
  commit();
  run();
}

field.addEventListener('input', () => {
  exact = false;
  byId('clear').hidden = !field.value;
  live.afterPause(() => {
    if (site) draftAddress(placeIn(site));
    run();
  });
});
field.addEventListener('change', commit);
byId('clear').addEventListener('click', clear);
byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (suggestions.open()) return;
  suggestions.close();
  commit();
  if (isTouch.matches) field.blur();
  run();
});
byId('more').addEventListener('click', async () => {
  const before = countLinks(resultList);
  const limit = shown?.limit ?? firstLimit;
  await run(nextLimit(limit));
  if (countLinks(resultList) > before) focusResult(resultList, before);
});
answersOn.addEventListener('change', () => {
  rememberAnswers(answersOn.checked);
  chat.stop();
  if (shown) chat.after(shown);
});
select.addEventListener('change', () => {
  const chosen = siteOf(select.value);
  if (!chosen) return;
  choose(chosen);
  showTag(undefined);
  exact = false;
  rememberSite(chosen.siteId);
  ownerNotes.of(chosen.siteId, key);
  commit();
  byId('note').hidden = true;
  run();
});
onReturn(() => {
  const address = readAddress();
  field.value = address.query;
  showTag(address.tag);
  exact = address.exact;
  const named = siteOf(address.siteId);
  if (named && named !== site) ownerNotes.of(named.siteId, key);
  if (named) choose(named);
  run();
});
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#key=')) startWithLink();
});
byId('take-key').addEventListener('click', useOtherKey);
byId('keep-key').addEventListener('click', () => askAboutKey(undefined));
byId('exact').addEventListener('click', () => {
  commit();
  exact = true;
  commit();
  run();
});
byId('no-tag').addEventListener('click', () => filterByTag(undefined));
byId('any-tag').addEventListener('click', () => filterByTag(undefined));
onTagChosen(resultList, filterByTag);
onOpened(resultList, (url, position) => {
  if (shown) recordEvent(shown.siteId, { type: 'click', query: shown.query, url, position }, key);
});
addKeyboard({ field, results: resultList, clear, suggestions });

answersOn.checked = rememberedAnswers();
field.value ||= readAddress().query;
showTag(readAddress().tag);
exact = readAddress().exact;
if (!isTouch.matches) field.focus();
startWithLink();
