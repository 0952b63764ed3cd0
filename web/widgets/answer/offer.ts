import { html, nothing, type TemplateResult } from 'lit/html.js';
import { partsOf } from '../labels/labels.ts';
import type { AnswerParts } from './answer.ts';
import { breadcrumbOf, isWebAddress } from './source-links.ts';

export type Offer = { readonly template: () => TemplateResult };
type Result = { readonly url: string; readonly title: string };

const SHOWN = 5;

/** Offers a search for the words of a question that the pages do not answer. */
export function createOffer(question: string, { client, labels, update }: AnswerParts): Offer {
  let found: readonly Result[] | undefined;
  let [isBusy, hasFailed] = [false, false];
  const query = html`<b>${question}</b>`;

  async function search(): Promise<void> {
    isBusy = true;
    update();
    try {
      const { results, closest = [] } = await client.search(question, { limit: SHOWN });
      found = [...results, ...closest].filter(({ url }) => isWebAddress(url)).slice(0, SHOWN);
      hasFailed = false;
    } catch {
      hasFailed = true;
    }
    isBusy = false;
    update();
  }

  const button = () => html`<button
    type="button"
    class="offer"
    aria-disabled=${isBusy}
    @click=${isBusy ? nothing : search}
  >
    ${partsOf(labels.exact, { query })}
  </button>`;

  const results = (shown: readonly Result[]) => html`<ul class="found" aria-label=${labels.results}>
    ${shown.map(
      ({ url, title }) => html`<li><a href=${url}><b>${title || url}</b> <small>${breadcrumbOf(url)}</small></a></li>`,
    )}
  </ul>`;

  function status() {
    if (hasFailed) return labels.failed;
    return found?.length === 0 ? partsOf(labels.none, { query }) : nothing;
  }

  return {
    template: () => html`${found ? nothing : button()} ${found?.length ? results(found) : nothing}
      <p role="status">${status()}</p>`,
  };
}
