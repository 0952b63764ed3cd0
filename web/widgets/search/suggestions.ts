import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { SuggestResponse } from '../../../packages/client/src/client.ts';
import type { Search } from './search.ts';
import { webAddress } from './web-address.ts';

type Suggestion = SuggestResponse['suggestions'][number];
/** What is suggested while somebody types: queries of other visitors, and titles until there are results. */
export type Suggestions = {
  readonly ask: (text: string) => Promise<void>;
  readonly template: (choose: (query: string) => void) => TemplateResult | typeof nothing;
};

const MOST = 3;

export function createSuggestions(search: Search, update: () => void): Suggestions {
  let all: readonly Suggestion[] = [];
  let text = '';
  return {
    async ask(typed) {
      text = typed.trim();
      if (text === '') {
        all = [];
        return;
      }
      const answer = await search.client.suggest(text).catch(() => undefined); // Results follow all the same.
      if (!answer) return;
      all = answer.suggestions;
      update();
    },
    template(choose) {
      const queries = all.filter((each) => each.type === 'query' && each.text !== text).slice(0, MOST);
      const pages = search.found ? [] : all.filter(({ type }) => type === 'page').slice(0, MOST);
      if (queries.length + pages.length === 0) return nothing;
      return html`${queries.map(
        (
          query,
          i,
        ) => html`<div class="option suggestion" part="suggestion" role="option" id="query-${i}" @click=${() => choose(query.text)}>
          <span class="icon" part="icon"></span><span dir="auto">${query.text}</span>
        </div>`,
      )}
      ${pages.map(
        (
          { text: title, url = '' },
          i,
        ) => html`<a class="option" part="suggestion" role="option" id="page-${i}" tabindex="-1"
          href=${webAddress(url)?.href ?? nothing}><span class="title" dir="auto">${title}</span></a>`,
      )}`;
    },
  };
}
