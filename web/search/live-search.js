/** Searches while a person types. Waits for a pause, and never lets an older answer replace a newer one. */

/** @import { Answer } from './service.js' */
/** @typedef {{ siteId: string, query: string, limit: number, exact?: boolean, tag?: string }} Question */
/**
 * @typedef {{
 *   asking: (question: Question) => void, answered: (question: Question, answer: Answer) => void,
 *   failed: (question: Question, fault: unknown) => void
 * }} Listener
 */

const pauseMs = 120;
/** Longer pauses when the rate limit admits few more searches, so that typing does not use up the last of them. */
const longerPauses = [
  { below: 10, ms: 1500 },
  { below: 30, ms: 500 },
];
const freshMs = 60_000;
const maxCached = 50;

/** @param {(question: Question, signal: AbortSignal) => Promise<Answer>} ask @param {Listener} listener */
export function createLiveSearch(ask, listener) {
  /** @type {Map<string, { answer: Answer, at: number }>} */
  const cache = new Map();
  let running = new AbortController();
  let timer = 0;
  /** @type {number | undefined} */
  let callsLeft;

  /** @param {Question} question */
  async function now(question) {
    stop();
    const { signal } = running;
    const cacheKey = JSON.stringify(question);
    const cached = cache.get(cacheKey);
    if (cached && performance.now() - cached.at < freshMs) return listener.answered(question, cached.answer);
    listener.asking(question);
    try {
      const answer = await ask(question, signal);
      callsLeft = answer.callsLeft;
      if (signal.aborted) return;
      addToCache(cacheKey, answer);
      listener.answered(question, answer);
    } catch (fault) {
      if (!signal.aborted) listener.failed(question, fault);
    }
  }

  /** @param {string} cacheKey @param {Answer} answer */
  function addToCache(cacheKey, answer) {
    cache.delete(cacheKey);
    cache.set(cacheKey, { answer, at: performance.now() });
    for (const oldest of cache.keys()) if (cache.size > maxCached) cache.delete(oldest);
  }

  function stop() {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  }

  return {
    now,
    stop,
    /** Acts after a pause in typing. Until then a running search may still answer. @param {() => void} action */
    afterPause(action) {
      clearTimeout(timer);
      const longer = longerPauses.find(({ below }) => callsLeft !== undefined && callsLeft < below);
      timer = setTimeout(action, longer?.ms ?? pauseMs);
    },
    /** Call it when the site's pages have changed. */
    forget: () => cache.clear(),
  };
}
