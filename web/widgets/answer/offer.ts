import { html, nothing, type TemplateResult } from 'lit/html.js';
import { filled } from '../labels/labels.ts';
import type { AnswerParts } from './answer.ts';
import { breadcrumbOf, isWebAddress } from './source-links.ts';

export type Offer = { readonly template: () => TemplateResult };
type Result = { readonly url: string; readonly title: string };

const SHOWN = 5;

/** Offers a search for the words of a question that the pages do not answer. */
export function createOffer(question: string, { client, labels, update }: AnswerParts): Offer {
  let found: readonly Result[] | undefined;
  let isBusy = false;

  async function search(): Promise<void> {
    isBusy = true;
    update();
    const results = await client.search(question, { limit: SHOWN }).then(
      (answer) => answer.results,
      () => [],
    );
    found = results.filter(({ url }) => isWebAddress(url));
    isBusy = false;
    update();
  }

  const results = (shown: readonly Result[]) => html`<ul class="found" aria-label=${labels.results}>
    ${shown.map(
      ({ url, title }) => html`<li><a href=${url}><b>${title || url}</b> <small>${breadcrumbOf(url)}</small></a></li>`,
    )}
  </ul>`;

  return {
    template: () => html`
      ${
        found
          ? nothing
          : html`<button type="button" class="offer" aria-disabled=${isBusy} @click=${isBusy ? nothing : search}>
        ${filled(labels.exact, { query: `“${question}”` })}
      </button>`
      }
      ${found?.length ? results(found) : nothing}
      <p role="status" class=${found?.length ? 'unseen' : 'none'}>${found?.length === 0 ? filled(labels.none, { query: `“${question}”` }) : nothing}</p>`,
  };
}
