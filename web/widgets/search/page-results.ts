import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Texts } from '../labels/labels.ts';
import { breadcrumb, markedTitle, snippet, type Target, targetsOf } from './hits.ts';
import type { Hit, Search } from './search.ts';

export type ResultsParts = {
  readonly search: Search;
  readonly texts: Texts;
  readonly follow: (event: MouseEvent, target: Target) => void;
  /** The tags of a page that are worth a button. */
  readonly tagsOf: (hit: Hit) => readonly string[];
  readonly chooseTag: (tag: string) => void;
};

/** The results of a page of results, as a list of headings. */
export function pageResults({
  search,
  texts,
  follow,
  tagsOf,
  chooseTag,
}: ResultsParts): TemplateResult | typeof nothing {
  const { found } = search;
  const hits = found ? (found.results.length > 0 ? found.results : (found.closest ?? [])) : [];
  if (!found || hits.length === 0) return nothing;
  const item = (hit: Hit, i: number) => {
    const { page, sections } = targetsOf(hit, i + 1);
    const tags = tagsOf(hit);
    return html`<li class="hit" part="result">
      <h2 class="title" part="title">${link(page, follow)}</h2>
      <p class="about">${breadcrumb(hit)}${published(hit, texts.language)}</p>
      <p>${snippet(hit)}</p>
      ${
        sections.length > 0
          ? html`<ul class="sections" role="list">${sections.map((target) => html`<li part="section">${link(target, follow)}</li>`)}</ul>`
          : nothing
      }
      ${
        tags.length > 0
          ? html`<p class="tags">${tags.map((tag) => html`<button class="chip" part="tag" type="button" dir="auto" @click=${() => chooseTag(tag)}>${tag}</button>`)}</p>`
          : nothing
      }
    </li>`;
  };
  return html`<ol class="hits" role="list" part="results" aria-label=${texts.labels.results}>${hits.map(item)}</ol>`;
}

function link(target: Target, follow: ResultsParts['follow']): TemplateResult {
  const followed = (event: MouseEvent) => follow(event, target);
  return html`<a href=${target.url || nothing} @click=${followed} @auxclick=${followed}><bdi>${markedTitle(target.title, target.hit)}</bdi></a>`;
}

/** The day on which a page was published, as it states it: a day has no time zone. */
function published({ metadata: { publishedAt } }: Hit, language: string): TemplateResult | typeof nothing {
  const date = new Date(publishedAt ?? '');
  if (Number.isNaN(date.getTime())) return nothing;
  const text = date.toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return html`<time part="date" datetime=${date.toISOString()}>${text}</time>`;
}
