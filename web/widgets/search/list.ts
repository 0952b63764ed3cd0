import { html, nothing, type TemplateResult } from 'lit/html.js';
import { partsOf, type Texts } from '../labels/labels.ts';
import type { SiteSearchElement } from '../loader/elements.ts';
import { breadcrumb, markedTitle, snippet, type Target, targetsOf } from './hits.ts';
import type { Search } from './search.ts';

type Part = TemplateResult | typeof nothing;

export type ListParts = {
  readonly search: Search;
  readonly texts: Texts;
  readonly follow: (event: MouseEvent, target: Target) => void;
  /** Options before the results. */
  readonly before: readonly Part[];
  readonly after: Part;
};

/** The list below a field: every option is a link, or does something when it is clicked. */
export function resultList({ search, texts, follow, before, after }: ListParts): Part {
  const { found } = search;
  const hits = found ? (found.results.length > 0 ? found.results : (found.closest ?? [])) : [];
  if (hits.length === 0 && before.length === 0 && after === nothing) return nothing;
  return html`<div class="list" id="list" role="listbox" aria-label=${texts.labels.results} part="results">
    ${before}
    ${hits.map((hit, i) => {
      const { page, sections } = targetsOf(hit, i + 1);
      return html`
        ${link(`hit-${i}`, 'result', page, follow, [
          html`<span class="title" part="title"><bdi>${markedTitle(page.title, hit)}</bdi></span>`,
          breadcrumb(hit),
          snippet(hit),
        ])}
        ${sections.map((target, j) =>
          link(`hit-${i}-${j}`, 'section', target, follow, html`<bdi>${markedTitle(target.title, hit)}</bdi>`),
        )}
      `;
    })}
    ${after}
  </div>`;
}

function link(id: string, part: string, target: Target, follow: ListParts['follow'], content: unknown): TemplateResult {
  const followed = (event: MouseEvent) => follow(event, target);
  return html`<a class="option ${part}" part=${part} role="option" id=${id} tabindex="-1" href=${target.url || nothing}
    @click=${followed} @auxclick=${followed}>${content}</a>`;
}

/** Offers an answer to what was typed. */
export const askOption = (query: string, { labels }: Texts, ask: () => void): TemplateResult =>
  html`<div class="option ask" part="ask" role="option" id="ask" @click=${ask}>
    <span>${partsOf(labels.ask, { query: html`<b dir="auto">${query}</b>` })}</span>
  </div>`;

/** The link to the page of results that the attribute `action` names. */
export function allOption(host: SiteSearchElement, query: string, { labels }: Texts): Part {
  const url = actionOf(host, query);
  return url
    ? html`<a class="option all" part="all" role="option" id="all" tabindex="-1" href=${url}>${labels.all}</a>`
    : nothing;
}

/** The address of the page of results for a query; nothing if the website has none. */
export function actionOf(host: SiteSearchElement, query: string): string | undefined {
  const action = host.getAttribute('action');
  const url = action === null ? null : URL.parse(action, document.baseURI);
  if (!url || !/^https?:$/.test(url.protocol) || query === '') return undefined;
  url.searchParams.set('q', query);
  return url.href;
}

/** Goes to the page of results, if the website has one. */
export function goToAction(host: SiteSearchElement, query: string, isModified: boolean): boolean {
  const url = actionOf(host, query);
  if (url === undefined) return false;
  if (isModified) window.open(url, '_blank', 'noopener');
  else location.assign(url);
  return true;
}
