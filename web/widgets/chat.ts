import { html, render } from 'lit/html.js';
import { createClient } from '../../packages/client/src/client.ts';
import { type Answer, addAnswerStyle, askOptionsOf, createAnswer } from './answer/answer.ts';
import css from './chat.css?inline';
import { type Texts, textsOf } from './labels/labels.ts';
import type { Chat, View } from './loader/elements.ts';
import { tell } from './search/tell.ts';

type Turn = { readonly question: string; readonly answer: Answer };

/** Of the service. */
const MAX_QUESTION_LENGTH = 2_000;
const PHONE = matchMedia('(max-width: 36rem), (max-height: 28rem)');
const MAX_QUESTIONS = 5;

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** Shows the conversation of a `<site-search-chat>`. It is kept until the page is left, and nowhere else. */
export async function mount(host: Chat): Promise<View> {
  const shadow = host.shadowRoot as ShadowRoot;
  addAnswerStyle(shadow);
  shadow.adoptedStyleSheets.push(sheet);
  const box = shadow.appendChild(document.createElement('div'));
  let texts: Texts = await textsOf(host);
  let turns: readonly Turn[] = [];

  const dialog = () => box.firstElementChild as HTMLDialogElement;
  const field = () => box.querySelector('textarea[part=input]') as HTMLTextAreaElement;
  const isOpen = () => dialog().matches('[open], :popover-open');
  const last = () => turns.at(-1)?.answer;

  function update(): void {
    render(view(), box);
  }

  function ask(question: string): void {
    last()?.stop();
    const site = host.getAttribute('site');
    const group = host.getAttribute('group');
    const client = createClient({ api: host.api, ...(group ? { group } : { site: site ?? '' }) });
    const sessionId = turns.findLast(({ answer }) => answer.sessionId())?.answer.sessionId();
    const answer = createAnswer({ client, host, labels: texts.labels, update, offersSearch: true });
    turns = [...turns, { question, answer }];
    void answer.ask(question, { ...askOptionsOf(host), ...(sessionId !== undefined && { sessionId }) });
    box.querySelector('.turn:last-child')?.scrollIntoView({ block: 'start' });
  }

  function send(event?: Event): void {
    event?.preventDefault();
    const question = field().value.trim();
    if (!question) return;
    field().value = '';
    grow();
    ask(question);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    send(event);
  }

  /** The field grows with its text, up to the limit in the styles. */
  function grow(): void {
    const { style } = field();
    style.height = 'auto';
    style.height = `${field().scrollHeight}px`;
  }

  function startAgain(): void {
    for (const { answer } of turns) answer.clear();
    turns = [];
    update();
    field().focus();
  }

  /** Over the whole screen of a phone it is modal; beside a page it is not, so that people can read on. */
  function show(): void {
    if (PHONE.matches) dialog().showModal();
    else dialog().showPopover();
    host.button.setAttribute('aria-expanded', 'true');
    field().focus();
    tell(host, 'open', {});
  }

  function close(): void {
    if (!isOpen()) return;
    const hadFocus = dialog().matches(':focus-within');
    if (dialog().open) dialog().close();
    else dialog().hidePopover();
    host.button.setAttribute('aria-expanded', 'false');
    if (hadFocus) host.button.focus();
  }

  function onEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }

  function view() {
    const { labels, language } = texts;
    const isBubble = host.getAttribute('mode') === 'bubble';
    const side = host.getAttribute('position') === 'bottom-left' ? 'left' : 'right';
    return html`<dialog
      part="panel"
      class="chat ${isBubble ? `bubble ${side}` : 'side'}"
      popover="manual"
      lang=${language}
      aria-labelledby="title"
      @keydown=${onEscape}
      @cancel=${(event: Event) => event.preventDefault()}
    >
      <header part="header">
        <h2 id="title">${labels.askTitle}</h2>
        <button type="button" class="sign new" ?hidden=${turns.length === 0} aria-label=${labels.newChat} title=${labels.newChat} @click=${startAgain}></button>
        <button type="button" class="sign close" aria-label=${labels.close} title=${labels.close} @click=${close}></button>
      </header>
      <div class="log" part="conversation" role="region" aria-label=${labels.conversation} tabindex="0">
        ${turns.length === 0 ? greeting() : turns.map(turnView)}
      </div>
      <form part="form" @submit=${send}>
        <textarea
          part="input"
          rows="1"
          maxlength=${MAX_QUESTION_LENGTH}
          dir="auto"
          enterkeyhint="send"
          aria-label=${labels.askTitle}
          placeholder=${host.getAttribute('placeholder') ?? labels.askPlaceholder}
          @keydown=${onKey}
          @input=${grow}
        ></textarea>
        <button part="send" class="sign send" aria-label=${labels.askSend} title=${labels.askSend}></button>
      </form>
      <p class="hint">${labels.answerNote}</p>
    </dialog>`;
  }

  const greeting = () => html`<div class="greeting" part="greeting">
    <p dir="auto">${host.getAttribute('greeting') || texts.labels.greeting}</p>
    ${questionsOf(host).map(
      (question) => html`<button type="button" dir="auto" @click=${() => ask(question)}>${question}</button>`,
    )}
  </div>`;

  const turnView = ({ question, answer }: Turn) => html`<div class="turn">
    <h3 class="question" part="question" dir="auto"><span class="unseen">${texts.labels.you}: </span>${question}</h3>
    ${answer.template()}
  </div>`;

  update();
  host.button.onclick = () => (isOpen() ? close() : show());
  return {
    /** Asks what a script has given to the method of the element. */
    open(): void {
      const question = host.input.value.trim();
      host.input.value = '';
      if (!isOpen()) show();
      if (question) ask(question);
    },
    close,
    async changed(): Promise<void> {
      texts = await textsOf(host);
      update();
    },
  };
}

/** First questions to choose from: the attribute `questions`, a list as JSON. */
function questionsOf(host: Element): readonly string[] {
  const text = host.getAttribute('questions');
  if (!text) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list.filter((each) => typeof each === 'string').slice(0, MAX_QUESTIONS);
  } catch {
    // The sentence below covers it.
  }
  console.warn(`<${host.localName}>: the attribute questions must be a JSON list of texts, not ${text}`);
  return [];
}
