/** Shows the answer above the results: streamed, with its sources as footnotes and a question whether it helped. */

import { askVerdict } from './chat-verdict.js';

/** @import { ChatEvent, ChatSource } from './chat-service.js' */
/** @typedef {{ siteId: string, query: string, tag?: string }} Asked */
/** @typedef {{ sessionId: string, helpful: boolean }} Verdict */
/** @typedef {{ given: readonly ChatSource[], said: string }} Said */

const pauseMs = 700;
/** The fewest words of a question. A shorter query is usually a name to look up. */
const fewestWords = 3;

/**
 * @param {{ box: HTMLElement, text: HTMLElement, sources: HTMLElement, verdict: HTMLElement }} parts
 * @param {(asked: Asked, signal: AbortSignal) => AsyncGenerator<ChatEvent>} ask
 * @param {{ isOn: () => boolean, judged: (asked: Asked, verdict: Verdict) => void }} options
 */
export function createChatAnswer({ box, text, sources, verdict }, ask, { isOn, judged }) {
  let running = new AbortController();
  let timer = 0;
  let last = '';

  function stop() {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    last = '';
    box.hidden = true;
    verdict.hidden = true;
  }

  /** @param {Asked} asked @param {AbortSignal} signal */
  async function show(asked, signal) {
    /** @type {Said} */
    const answer = { given: [], said: '' };
    for await (const event of ask(asked, signal)) {
      if (signal.aborted) return;
      if (event.type !== 'done') draw(added(answer, event));
      else if (!box.hidden) askVerdict(verdict, (helpful) => judged(asked, { sessionId: event.sessionId, helpful }));
    }
  }

  /** Hides the box after an error, because the results need no answer. @param {AbortSignal} signal */
  function hideUnless(signal) {
    if (!signal.aborted) box.hidden = true;
  }

  /** Draws an answer. Hides one without sources: it is a refusal, which the results show too. @param {Said} answer */
  function draw({ given, said }) {
    box.hidden = given.length === 0 || said === '';
    text.replaceChildren(...withCode(said, given));
    sources.replaceChildren(...given.map((source, index) => footnote(source, index, said)));
  }

  return {
    stop,
    /** Asks after a pause in typing. Asks the same question only once. @param {Asked} asked */
    after(asked) {
      const name = JSON.stringify([asked.siteId, asked.query, asked.tag]);
      if (name === last) return;
      stop();
      if (!isOn() || !isQuestion(asked.query)) return;
      last = name;
      const { signal } = running;
      timer = setTimeout(() => void show(asked, signal).catch(() => hideUnless(signal)), pauseMs);
    },
  };
}

/** @param {Said} answer @param {ChatEvent} event @returns {Said} */
function added(answer, event) {
  if (event.type === 'sources') answer.given = event.sources;
  if (event.type === 'token') answer.said += event.text;
  return answer;
}

/** @param {string} query */
export const isQuestion = (query) => query.split(/\s+/).filter(Boolean).length >= fewestWords;

/**
 * The text with its samples of code as such.
 * @param {string} said @param {readonly ChatSource[]} given
 * @returns {(string | HTMLElement)[]}
 */
function withCode(said, given) {
  const parts = said.split(/\n*^(`{3,})\n([\s\S]*?)\n\1$\n*/m);
  return parts.flatMap((part, i) => {
    if (i % 3 === 0) return withFootnotes(part, given);
    return i % 3 === 1 ? [] : sample(part);
  });
}

/** @param {string} code */
function sample(code) {
  const made = document.createElement('pre');
  made.textContent = code;
  return made;
}

/**
 * Returns the text with its citations as links to their sources. Inserts texts as text only.
 * @param {string} said @param {readonly ChatSource[]} given
 * @returns {(string | HTMLElement)[]}
 */
function withFootnotes(said, given) {
  return said.split(/(\[\d+\])/).map((part) => {
    const source = given[Number(/^\[(\d+)\]$/.exec(part)?.[1]) - 1];
    if (!source) return plain(part);
    const mark = document.createElement('sup');
    mark.append(link(source, part.slice(1, -1)));
    return mark;
  });
}

/** Removes the Markdown that the service writes itself. @param {string} part */
export const plain = (part) => part.replace(/\\(?=<)/g, '').replace(/(^|\n)_(.+)_$/, '$1$2');

/** @param {ChatSource} source @param {number} index @param {string} said */
function footnote(source, index, said) {
  const item = document.createElement('li');
  item.value = index + 1;
  item.hidden = !said.includes(`[${index + 1}]`);
  item.append(link(source, source.title || source.url));
  return item;
}

/** Creates a link. Only http(s) addresses become links. @param {ChatSource} source @param {string} label */
function link({ url }, label) {
  const made = document.createElement(/^https?:\/\//i.test(url) ? 'a' : 'span');
  if (made instanceof HTMLAnchorElement) made.href = url;
  made.textContent = label;
  return made;
}
