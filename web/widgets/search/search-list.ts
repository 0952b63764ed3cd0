import { html, nothing, type TemplateResult } from 'lit/html.js';
import { type Texts, textsOf } from '../labels/labels.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import { createAnswers } from './answers.ts';
import { createCombobox } from './combobox.ts';
import { prepare, refreshField } from './field.ts';
import { followed } from './follow.ts';
import type { Target } from './hits.ts';
import { allOption, askOption, goToAction, resultList } from './list.ts';
import { createLiveRegion, spokenChanges } from './live-region.ts';
import { emptyAnswer, fault, isNothing, notices } from './notices.ts';
import { changesOf, createSearch, filtersOf, type Search } from './search.ts';

type Part = TemplateResult | typeof nothing;

export type SearchListParts = {
  readonly limit: number;
  /** Further passages of each page. */
  readonly sections: number;
  /** Shows the content. */
  readonly draw: (content: Part, texts: Texts) => void;
  /** What is there before anything is typed. */
  readonly empty: (texts: Texts) => Part;
  /** Options before the results. */
  readonly suggestions?: () => Part;
  /** Escape, and when a link in the same document is followed. */
  readonly close: () => void;
};

/** A field with a list of results that its keyboard moves in, as the modal and the box have it. */
export type SearchList = {
  readonly search: Search;
  readonly texts: () => Texts;
  readonly update: () => void;
  /** Reads the attributes again. */
  readonly changed: () => Promise<void>;
  /** Searches for what the field holds, unless it has done so. */
  readonly show: () => void;
};

export async function createSearchList(
  host: SiteSearchElement,
  { limit, sections, draw, empty, suggestions, close }: SearchListParts,
): Promise<SearchList> {
  const { frame, input } = host;
  let texts = await textsOf(host);
  prepare(host);

  const search = createSearch({
    host,
    update,
    options: () => ({ limit, sections, filters: filtersOf(host) }),
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

  const isChanged = changesOf(host);

  function content(): Part {
    if (search.error || search.waitsUntil) return fault(search, texts);
    if (search.query === '') return empty(texts);
    const { found, query } = search;
    const before = [offer(query), suggestions?.() ?? nothing].filter(
      (part): part is TemplateResult => part !== nothing,
    );
    const after = found && !isNothing(found) ? allOption(host, query, texts) : nothing;
    const list = resultList({ search, texts, follow, before, after });
    const none = found && isNothing(found) ? emptyAnswer(found, texts) : nothing;
    return html`${answers.template()}${notices(search, texts, searchExactly)}${none}${list}`;
  }

  const offer = (query: string): Part =>
    answers.isOffered(query) ? askOption(query, texts, () => void answers.ask(query)) : nothing;

  const searchExactly = () => void search.now(search.query, { exact: true });

  function follow(event: MouseEvent, target: Target): void {
    if (followed(event, host, search, target)) close();
  }

  function update(): void {
    refreshField(host, texts, search.isRunning);
    announce(texts);
    draw(html`${region.template()}<div class="body" part="body">${content()}</div>`, texts);
    combobox.refresh();
  }

  input.addEventListener('input', () => {
    search.soon(input.value);
    answers.searched(input.value.trim());
  });
  return {
    search,
    texts: () => texts,
    update,
    show() {
      const query = input.value.trim();
      if (query === search.query) return;
      answers.searched(query);
      void search.now(query);
    },
    async changed() {
      if (!isChanged()) return;
      texts = await textsOf(host);
      if (search.query !== '') void search.again();
      update();
    },
  };
}
