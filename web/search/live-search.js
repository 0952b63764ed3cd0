/** Searches while a person types: waits for a pause, asks once, and never lets an older answer replace a newer one. */

/** @import { Answer } from './service.js' */
/** @typedef {{ siteId: string, query: string, limit: number }} Question */
/** @typedef {{ asking: (question: Question) => void, answered: (question: Question, answer: Answer) => void, failed: (question: Question, fault: unknown) => void }} Listener */

const pauseMs = 120;
const freshMs = 60_000;
const keptAnswers = 50;

/** @param {(question: Question, signal: AbortSignal) => Promise<Answer>} ask @param {Listener} listener */
export function createLiveSearch(ask, listener) {
  /** @type {Map<string, { answer: Answer, at: number }>} */
  const kept = new Map();
  let running = new AbortController();
  let timer = 0;

  /** @param {Question} question */
  async function now(question) {
    stop();
    const { signal } = running;
    const name = JSON.stringify(question);
    const known = kept.get(name);
    if (known && performance.now() - known.at < freshMs) return listener.answered(question, known.answer);
    listener.asking(question);
    try {
      const answer = await ask(question, signal);
      if (signal.aborted) return;
      keep(name, answer);
      listener.answered(question, answer);
    } catch (fault) {
      if (!signal.aborted) listener.failed(question, fault);
    }
  }

  /** @param {string} name @param {Answer} answer */
  function keep(name, answer) {
    kept.delete(name);
    kept.set(name, { answer, at: performance.now() });
    for (const oldest of kept.keys()) if (kept.size > keptAnswers) kept.delete(oldest);
  }

  function stop() {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  }

  return {
    now,
    stop,
    /** After a pause in typing; until then a running search may still answer. @param {() => void} action */
    afterPause(action) {
      clearTimeout(timer);
      timer = setTimeout(action, pauseMs);
    },
    /** For when the site's pages changed. */
    forget: () => kept.clear(),
  };
}
