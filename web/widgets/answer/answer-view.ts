import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { ChatSource } from '../../../packages/client/src/chat-events.ts';
import type { Labels } from '../labels/en.ts';
import { filled } from '../labels/labels.ts';
import type { Markdown, Said } from './answer.ts';
import { faultOf } from './fault.ts';
import { breadcrumbOf, isWebAddress } from './source-links.ts';

type Shown = {
  readonly announced: string;
  readonly labels: Labels;
  readonly markdown: Markdown | undefined;
  readonly opened: (url: string) => void;
  readonly update: () => void;
  readonly stop: () => void;
  readonly retry: () => void;
};

/** Sources above the text. The others are behind a button, so that they do not push the answer out of the screen. */
const FIRST_SOURCES = 3;

/** The live region is there before it says something: screen readers ignore what a new one holds. */
export const answerView = (said: Said | undefined, shown: Shown): TemplateResult =>
  html`${said ? answer(said, shown) : nothing}
    <p class="unseen" role="status">${shown.announced}</p>`;

function answer(said: Said, shown: Shown): TemplateResult {
  const { phase, text, sources, verdict, offer } = said;
  const { labels } = shown;
  const isRefusal = phase === 'done' && sources.length === 0;
  return html`<article
    class=${isRefusal ? 'answer refused' : 'answer'}
    part="answer"
    aria-label=${labels.answer}
    aria-busy=${phase === 'thinking' || phase === 'writing'}
    @click=${(event: Event) => clicked(event, shown)}
  >
    ${sources.length > 0 ? sourceList(said, shown) : nothing}
    ${text && said.isDegraded ? html`<p class="note">${labels.degraded}</p>` : nothing}
    ${text ? html`<div class="text" part="answer-text" dir="auto">${formatted(said, shown)}</div>` : nothing}
    ${phase === 'thinking' ? skeleton(labels) : nothing}
    ${phase === 'failed' ? fault(said, shown) : nothing}
    ${phase === 'stopped' ? html`<p class="note">${labels.stopped} ${retryButton(shown)}</p>` : nothing}
    ${
      phase === 'thinking' || phase === 'writing'
        ? html`<button type="button" class="stop" @click=${shown.stop}>${labels.stop}</button>`
        : nothing
    }
    ${offer?.template() ?? nothing} ${verdict?.template() ?? nothing}
  </article>`;
}

function clicked(event: Event, { opened }: Shown): void {
  const link = event.composedPath().find((each) => each instanceof HTMLElement && each.dataset.source !== undefined);
  if (link instanceof HTMLElement) opened(link.dataset.source ?? '');
}

const formatted = ({ text, sources, phase }: Said, { markdown, labels }: Shown) =>
  markdown?.markdownParts(
    text,
    {
      sources,
      citation: ({ title, url }, number) => filled(labels.citation, { number, title: title || url }),
      copyLabel: labels.copy,
      copiedLabel: labels.copied,
      tableLabel: labels.table,
    },
    phase !== 'writing',
  ) ?? text;

function sourceList(said: Said, { labels, update }: Shown): TemplateResult {
  const { sources, showsAllSources } = said;
  const first = showsAllSources ? sources : sources.slice(0, FIRST_SOURCES);
  function showAll(): void {
    said.showsAllSources = true;
    update();
  }
  return html`<div class="sources" part="sources">
    <ol aria-label=${labels.sources}>${first.map(source)}</ol>
    ${
      first.length < sources.length
        ? html`<button type="button" class="plain" @click=${showAll}>
          ${filled(labels.moreSources, { count: sources.length })}
        </button>`
        : nothing
    }
  </div>`;
}

function source({ url, title }: ChatSource, index: number): TemplateResult {
  const shown = html`<b dir="auto">${title || url}</b> <small dir="ltr">${breadcrumbOf(url)}</small>`;
  return html`<li value=${index + 1}>
    ${isWebAddress(url) ? html`<a part="source" href=${url} data-source=${url}>${shown}</a>` : html`<span>${shown}</span>`}
  </li>`;
}

const skeleton = (labels: Labels) => html`<div class="skeleton">
  <span>${labels.thinking}</span>
  <i></i><i></i><i></i>
</div>`;

const retryButton = ({ retry, labels }: Shown) =>
  html`<button type="button" class="plain" @click=${retry}>${labels.retry}</button>`;

function fault(said: Said, shown: Shown): TemplateResult {
  const { text, detail, waitSeconds } = faultOf(said, shown.labels);
  return html`<div class="fault" part="error">
    <p>${text}</p>
    ${detail ? html`<p class="detail" dir="auto">${detail}</p>` : nothing}
    ${waitSeconds > 0 ? nothing : html`<button type="button" @click=${shown.retry}>${shown.labels.retry}</button>`}
  </div>`;
}
