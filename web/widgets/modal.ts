import { html, nothing, render } from 'lit/html.js';
import { type Texts, textsOf } from './labels/labels.ts';
import type { SiteSearchElement, View } from './loader/elements.ts';
import { createAnswers } from './search/answers.ts';
import { createCombobox } from './search/combobox.ts';
import { iconButton, prepare, refreshField } from './search/field.ts';
import { followed } from './search/follow.ts';
import { allOption, askOption, goToAction, resultList } from './search/list.ts';
import { createLiveRegion, spokenChanges } from './search/live-region.ts';
import { emptyAnswer, fault, notices } from './search/notices.ts';
import { createSearch, filtersOf } from './search/search.ts';

const LIMIT = 12;

/** Fills the dialog of a `<site-search-modal>`. */
export async function mount(host: SiteSearchElement): Promise<View> {
  let texts = await textsOf(host);
  const { shadowRoot: shadow, frame, input, form } = host;
  const dialog = shadow?.querySelector('dialog');
  prepare(host);

  const search = createSearch({
    host,
    update,
    options: () => ({ limit: LIMIT, sections: 1, filters: filtersOf(host) }),
    answered: () => {
      combobox.reset();
      frame.querySelector('.body')?.scrollTo({ top: 0 });
    },
  });
  const answers = createAnswers(host, () => texts, search, update);
  const region = createLiveRegion(update);
  const announce = spokenChanges(search, region);
  const combobox = createCombobox(host, {
    list: () => frame.querySelector('#list'),
    enter: (isModified) => {
      if (!goToAction(host, input.value.trim(), isModified)) void search.now(input.value);
    },
    cancel: close,
  });

  function close(): void {
    dialog?.close();
  }

  function searchSoon(): void {
    search.soon(input.value);
    answers.searched(input.value.trim());
  }

  function body() {
    if (search.error || search.waitsUntil) return fault(search, texts);
    if (search.query === '') return html`<slot name="empty">${emptyState(texts)}</slot>`;
    const { found, query } = search;
    const isNone = found && found.results.length + (found.closest?.length ?? 0) === 0;
    const list = resultList({
      search,
      texts,
      follow: (event, target) => {
        if (followed(event, host, search, target)) close();
      },
      before: answers.isOffered(query) ? askOption(query, texts, () => void answers.ask(query)) : nothing,
      after: found && !isNone ? allOption(host, query, texts) : nothing,
    });
    return html`${answers.template()}${notices(search, texts)}${isNone ? emptyAnswer(found, texts) : nothing}${list}`;
  }

  function update(): void {
    refreshField(host, texts, search.isRunning);
    announce(texts);
    render(
      html`
        ${region.template()}
        <div class="body" part="body">${body()}</div>
        <div class="foot" ?data-own=${host.querySelector(':scope > [slot=footer]') !== null} part="footer"><slot name="footer">${keys(texts)}</slot></div>
      `,
      frame,
    );
    combobox.refresh();
  }

  async function changed(): Promise<void> {
    texts = await textsOf(host);
    if (dialog) dialog.ariaLabel = texts.labels.search;
    render(closeButton(texts, close), form);
    if (search.query !== '') void search.again();
    update();
  }

  input.addEventListener('input', searchSoon);
  dialog?.addEventListener('click', ({ target }) => {
    if (target === dialog) close();
  });
  await changed();
  return {
    open() {
      input.select();
      if (input.value.trim() !== search.query) searchSoon();
    },
    close,
    changed: () => void changed(),
  };
}

const closeButton = ({ labels }: Texts, close: () => void) => iconButton('close', labels.close, close);

const emptyState = ({ labels }: Texts) =>
  html`<div class="state" part="empty">
    <p class="lead">${labels.empty}</p>
    <p>${labels.emptyHint}</p>
  </div>`;

const keys = ({ labels }: Texts) =>
  html`<p class="keys" aria-hidden="true">
    <span><kbd>↑</kbd><kbd>↓</kbd> ${labels.keyMove}</span>
    <span><kbd>↵</kbd> ${labels.keyOpen}</span>
    <span><kbd>esc</kbd> ${labels.keyClose}</span>
  </p>`;
