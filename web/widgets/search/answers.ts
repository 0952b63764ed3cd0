import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Answer } from '../answer/answer.ts';
import type { Texts } from '../labels/labels.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import type { Search } from './search.ts';

/** The answers of a widget that searches. Their code is loaded for the first question. */
export type Answers = {
  /** Whether the widget offers to ask. */
  readonly isOffered: (query: string) => boolean;
  readonly ask: (question: string) => Promise<void>;
  /** The visitor searches for something: ends the answer to anything else, and asks if the page wants that. */
  readonly searched: (query: string) => void;
  readonly template: () => TemplateResult | typeof nothing;
};

const PAUSE_MS = 900;
/** Fewer words are seldom a question. */
const LEAST_WORDS = 3;

export function createAnswers(
  host: SiteSearchElement,
  texts: () => Texts,
  search: Search,
  update: () => void,
): Answers {
  let answer: Answer | undefined;
  let asked = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const mode = () => host.getAttribute('answers') ?? 'off';
  const isOn = () => mode() === 'ask' || mode() === 'auto';

  async function ask(question: string): Promise<void> {
    clearTimeout(timer);
    if (!isOn() || question === '' || question === asked) return;
    asked = question;
    const { askOptionsOf, createAnswer } = await import('../answer/answer.ts');
    if (asked !== question) return;
    answer ??= createAnswer({ client: search.client, host, labels: texts().labels, update });
    await answer.ask(question, askOptionsOf(host));
  }

  return {
    isOffered: (query) => isOn() && query !== '' && query !== asked,
    ask,
    searched(query) {
      clearTimeout(timer);
      if (query !== asked) {
        asked = '';
        answer?.clear();
      }
      if (mode() === 'auto' && wordsIn(query) >= LEAST_WORDS) timer = setTimeout(() => void ask(query), PAUSE_MS);
    },
    template: () => (asked && answer ? html`<div class="reply">${answer.template()}</div>` : nothing),
  };
}

/** Counts words of any script, such as Japanese, which has no blanks. */
function wordsIn(text: string): number {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return Array.from(segments).filter(({ isWordLike }) => isWordLike).length;
}
