import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { filled, partsOf, textsOf } from './labels/labels.ts';
import type { SiteSearchElement, View } from './loader/elements.ts';
import { createAnswers } from './search/answers.ts';
import { renderClear } from './search/clear-button.ts';
import { chips, type FacetView, facetPane } from './search/facet-pane.ts';
import { createFacets } from './search/facets.ts';
import { prepare, refreshField } from './search/field.ts';
import { followed } from './search/follow.ts';
import { createLiveRegion, spokenChanges } from './search/live-region.ts';
import { countOf, emptyAnswer, fault, isNothing, notices } from './search/notices.ts';
import { createPageAddress } from './search/page-address.ts';
import { pageResults } from './search/page-results.ts';
import { changesOf, createSearch, type Hit } from './search/search.ts';
import css from './style/page.css?inline';

const MOST_TAGS = 4;
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** Fills a `<site-search-page>`: results with facets and paging, below a field. */
export async function mount(host: SiteSearchElement): Promise<View> {
  const { frame, input, form } = host;
  let texts = await textsOf(host);
  let isPaneOpen = false;
  prepare(host);
  host.shadowRoot?.adoptedStyleSheets.push(sheet);

  const search = createSearch({
    host,
    update,
    options: () => ({ sections: 1, filters: facets.filters(), facets: [...facets.names()] }),
    answered: (found) => facets.answered(found),
  });
  const facets = createFacets(host, () => search, update);
  const address = createPageAddress(host, facets, showAddress);
  const answers = createAnswers(host, () => texts, search, update);
  const region = createLiveRegion(update);
  const announce = spokenChanges(search, region);
  const opened = new Set<string>();
  const isChanged = changesOf(host);

  function update(): void {
    refreshField(host, texts, search.isRunning);
    renderClear(host, texts, () => void searchNow(''));
    announce(texts);
    render(
      html`${region.template()}<div class="page" part="body">${content()}</div><slot name="footer"></slot>`,
      frame,
    );
  }

  function content(): TemplateResult {
    if (search.query === '') return html`<slot name="empty"></slot>`;
    const view = { facets, texts, opened, update, changed: choiceChanged };
    const hasPane = facets.shown().length > 0;
    return html`
      <div class="bar">${count()}${askButton()}${hasPane ? paneButton() : nothing}</div>
      <div class="columns" ?data-pane=${hasPane}>
        ${hasPane ? html`<div class="pane" id="pane" part="facets" ?data-open=${isPaneOpen}>${facetPane(view)}</div>` : nothing}
        <div class="main">${chips(view)}${answers.template()}${results(view)}</div>
      </div>
    `;
  }

  function results({ facets }: FacetView): TemplateResult {
    if (search.error || search.waitsUntil) return fault(search, texts);
    const { found } = search;
    if (found && isNothing(found)) return emptyAnswer(found, texts);
    return html`
      ${notices(search, texts, searchExactly)}
      ${pageResults({
        search,
        texts,
        follow: (event, target) => void followed(event, host, search, target),
        tagsOf: usefulTags,
        chooseTag: (tag) => {
          facets.choose('tags', [tag]);
          choiceChanged();
        },
      })}
      ${moreButton()}
    `;
  }

  function count(): TemplateResult | typeof nothing {
    const { found, error } = search;
    if (!found || error || found.results.length === 0) return nothing;
    return html`<p class="count" part="count">${countOf(found, texts)}</p>`;
  }

  function askButton(): TemplateResult | typeof nothing {
    const { query } = search;
    if (!answers.isOffered(query)) return nothing;
    return html`<button class="chip ask" part="ask" type="button" @click=${() => void answers.ask(query)}>
      <span>${partsOf(texts.labels.ask, { query: html`<b dir="auto">${query}</b>` })}</span>
    </button>`;
  }

  function paneButton(): TemplateResult {
    const { labels } = texts;
    const toggle = () => {
      isPaneOpen = !isPaneOpen;
      update();
    };
    const chosen = facets.chosen.size;
    return html`<button class="chip disclosure" type="button" aria-expanded=${isPaneOpen} aria-controls="pane" @click=${toggle}>
      ${chosen > 0 ? filled(labels.filtersChosen, { count: chosen }) : labels.filters}
    </button>`;
  }

  function moreButton(): TemplateResult | typeof nothing {
    const { found } = search;
    if (!found || found.results.length === 0) return nothing;
    const isAll = found.results.length >= found.totalResults && !found.totalIsLowerBound;
    return isAll
      ? nothing
      : html`<button class="chip more" part="more" type="button" @click=${more}>${texts.labels.more}</button>`;
  }

  /** Tags that only this page or every page has would not narrow the results. */
  function usefulTags({ metadata }: Hit): readonly string[] {
    const facet = facets.shown().find(({ name }) => name === 'tags');
    if (facet?.type !== 'string' || facets.chosen.has('tags')) return [];
    const counts = new Map(facet.values.map(({ value, count }) => [value, count]));
    const total = search.found?.totalResults ?? 0;
    const isUseful = (tag: string) => (counts.get(tag) ?? 0) > 1 && (counts.get(tag) ?? 0) < total;
    return metadata.tags.filter(isUseful).slice(0, MOST_TAGS);
  }

  async function more(): Promise<void> {
    const before = search.found?.results.length ?? 0;
    await search.more();
    frame.querySelectorAll<HTMLElement>('.hit .title a')[before]?.focus();
    writeAddress();
  }

  function writeAddress(isDraft = false): void {
    const state = { query: input.value.trim(), exact: search.isExact, shown: search.found?.results.length ?? 0 };
    address.write(state, isDraft);
  }

  function searchExactly(): void {
    void search.now(search.query, { exact: true });
    writeAddress();
  }

  function choiceChanged(): void {
    void search.again();
    writeAddress();
  }

  async function searchNow(query: string): Promise<void> {
    answers.searched(query.trim());
    const done = search.now(query);
    writeAddress();
    await done;
  }

  function showAddress(): void {
    const { query, exact, limit } = address.read();
    input.value = query;
    answers.searched(query);
    void search.now(query, { exact, ...(limit && { limit }) });
  }

  async function changed(): Promise<void> {
    address.watch(true);
    if (!isChanged()) return;
    texts = await textsOf(host);
    await facets.learn();
    if (search.query !== '') void search.again();
    update();
  }

  input.addEventListener('input', () => {
    search.soon(input.value);
    answers.searched(input.value.trim());
    writeAddress(true);
  });
  input.addEventListener('change', () => writeAddress());
  form.addEventListener('submit', () => {
    if (matchMedia('(pointer: coarse)').matches) input.blur();
    void searchNow(input.value);
  });
  frame.addEventListener('keydown', (event) => moveBetweenResults(event, host));
  await changed();
  if (input.value === '') showAddress();
  else void searchNow(input.value);
  return {
    open: () => void searchNow(input.value),
    close: () => address.watch(false),
    changed: () => void changed(),
  };
}

/** The arrow keys go from the field through the results and back. */
function moveBetweenResults(event: KeyboardEvent, { frame, input }: SiteSearchElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const places = [input, ...frame.querySelectorAll<HTMLElement>('.hit .title a')];
  const at = places.indexOf(event.target as HTMLElement);
  const next = step && at >= 0 ? places[at + step] : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}
