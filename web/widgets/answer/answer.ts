import type { TemplateResult } from 'lit/html.js';
import type { ChatEvent, ChatSource } from '../../../packages/client/src/chat-events.ts';
import type { ChatOptions, Client } from '../../../packages/client/src/client.ts';
import { SearchError } from '../../../packages/client/src/search-error.ts';
import type { Labels } from '../labels/en.ts';
import { tell } from '../search/tell.ts';
import css from './answer.css?inline';
import { answerView } from './answer-view.ts';
import { faultOf } from './fault.ts';
import { createOffer, type Offer } from './offer.ts';
import { tellOwner } from './owner-hint.ts';
import { createVerdict, type Verdict } from './verdict.ts';

export { askOptionsOf } from './ask-options.ts';

export type AnswerParts = {
  readonly client: Pick<Client, 'chat' | 'search' | 'feedback' | 'recordClick'>;
  /** The element that dispatches the events. */
  readonly host: HTMLElement;
  readonly labels: Labels;
  /** Renders the widget, with `template()` in it. */
  readonly update: () => void;
  /** Offers a search if the pages do not answer: for a widget that shows no results. */
  readonly offersSearch?: boolean;
};
export type AskOptions = Pick<ChatOptions, 'sessionId' | 'filters' | 'contextUrl'>;
export type Answer = {
  /** Shows the answer while it is written, in place of an earlier one. Ends when the answer ends; does not throw. */
  readonly ask: (question: string, options?: AskOptions) => Promise<void>;
  /** Ends an answer that is written, and leaves what there is of it. */
  readonly stop: () => void;
  /** Ends an answer and shows nothing. */
  readonly clear: () => void;
  /** The answer, or nothing but its live region before a question. */
  readonly template: () => TemplateResult;
  readonly isRunning: () => boolean;
  /** For the next question of a conversation. */
  readonly sessionId: () => string | undefined;
};

/** What is known of the answer to a question. */
export type Said = {
  readonly question: string;
  readonly options: AskOptions;
  phase: 'thinking' | 'writing' | 'done' | 'stopped' | 'failed';
  sources: readonly ChatSource[];
  text: string;
  sessionId?: string | undefined;
  isDegraded?: boolean | undefined;
  error?: SearchError;
  /** In epoch milliseconds: the service refuses an earlier question. */
  waitsUntil?: number;
  showsAllSources?: boolean;
  verdict?: Verdict;
  offer?: Offer;
};

export type Markdown = typeof import('./markdown.ts');

/** What a screen reader announces disappears after this, so that reading the page does not come across it again. */
const ANNOUNCED_MS = 15_000;

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** Adds the styles of answers, once. */
export function addAnswerStyle({ adoptedStyleSheets }: ShadowRoot): void {
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
}

/** Asks, and shows the answer with its sources first. Its styles are added to the shadow root of the host. */
export function createAnswer(parts: AnswerParts): Answer {
  const { client, host, labels, update } = parts;
  if (host.shadowRoot) addAnswerStyle(host.shadowRoot);
  let said: Said | undefined;
  let running = new AbortController();
  let markdown: Markdown | undefined;
  let isDue = false;
  let announced = '';
  let silence: ReturnType<typeof setTimeout> | undefined;

  const isRunning = () => said?.phase === 'thinking' || said?.phase === 'writing';

  /** Parts may come faster than a screen shows them. */
  function updateSoon(): void {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      update();
    });
  }

  function announce(text: string): void {
    announced = text;
    clearTimeout(silence);
    silence = setTimeout(() => {
      announced = '';
      update();
    }, ANNOUNCED_MS);
    update();
  }

  function stop(): void {
    running.abort();
    if (!said || !isRunning()) return;
    said.phase = 'stopped';
    announce(labels.stopped);
  }

  function clear(): void {
    running.abort();
    said?.verdict?.leave();
    said = undefined;
    announced = '';
    update();
  }

  async function ask(question: string, options: AskOptions = {}): Promise<void> {
    clear();
    running = new AbortController();
    const { signal } = running;
    const asked: Said = { question, options, phase: 'thinking', sources: [], text: '' };
    said = asked;
    announce(labels.thinking);
    try {
      markdown ??= await import('./markdown.ts');
      for await (const event of client.chat(question, { ...options, signal })) {
        take(asked, event);
        updateSoon();
      }
      end(asked);
    } catch (error) {
      if (!signal.aborted) fail(asked, error);
    }
  }

  function end(asked: Said): void {
    asked.phase = 'done';
    const { question, text, sources } = asked;
    if (sources.length === 0 && parts.offersSearch) asked.offer = createOffer(question, parts);
    if (sources.length > 0 && !host.hasAttribute('group')) asked.verdict = createVerdict(asked, parts);
    tell(host, 'answer', { question, answer: text, sources });
    announce(markdown?.markdownWords(text) ?? text);
  }

  function fail(asked: Said, cause: unknown): void {
    const error = cause instanceof SearchError ? cause : new SearchError('unreachable', String(cause), { cause });
    Object.assign(asked, { phase: 'failed', error });
    tellOwner(host, error);
    if (error.retryAfter) waitFor(asked, error.retryAfter);
    announce(faultOf(asked, labels).text);
  }

  function waitFor(asked: Said, seconds: number): void {
    const waitsUntil = Date.now() + seconds * 1000;
    asked.waitsUntil = waitsUntil;
    const timer = setInterval(() => {
      if (said !== asked || Date.now() >= waitsUntil) clearInterval(timer);
      if (said === asked) update();
    }, 1000);
  }

  /** A source was opened. */
  function opened(url: string): void {
    const index = said?.sources.findIndex((source) => source.url === url) ?? -1;
    const source = said?.sources[index];
    if (!said || !source) return;
    const query = said.question;
    const position = index + 1;
    tell(host, 'select', { query, url, title: source.title, position });
    if (!host.hasAttribute('group')) client.recordClick({ query, url, position }).catch(() => undefined);
  }

  const template = () =>
    answerView(said, {
      announced,
      labels,
      markdown,
      opened,
      update,
      stop,
      retry: () => said && ask(said.question, said.options),
    });

  return { ask, stop, clear, template, isRunning, sessionId: () => said?.sessionId };
}

function take(said: Said, event: ChatEvent): void {
  if (event.type === 'sources') said.sources = event.sources;
  if (event.type === 'token') {
    said.text += event.text;
    said.phase = 'writing';
  }
  if (event.type !== 'done') return;
  const { answer, sources, sessionId, degraded } = event;
  Object.assign(said, { text: answer, sources, sessionId, isDegraded: degraded });
}
