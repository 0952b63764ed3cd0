import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Hit } from './search.ts';
import { crumbsOf, webAddress } from './web-address.ts';

/** What a link of a result needs to know when it is followed. */
export type Target = { readonly url: string; readonly title: string; readonly position: number; readonly hit: Hit };

const MOST_SECTIONS = 2;

type Ranges = readonly (readonly number[])[];

/** A text with its ranges marked. Ranges that are malformed, outside the text or out of order mark nothing. */
export function marked(text: string, ranges: Ranges | undefined): readonly (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let end = 0;
  for (const [from = -1, to = 0] of ranges ?? []) {
    if (from < end || to <= from || to > text.length) continue;
    parts.push(text.slice(end, from), html`<mark part="mark">${text.slice(from, to)}</mark>`);
    end = to;
  }
  return [...parts, text.slice(end)];
}

/** A title with the words marked that the service has found in the page; it says only where they are in the snippet. */
export function markedTitle(title: string, { snippet, highlights }: Hit): readonly (string | TemplateResult)[] {
  const found = (highlights ?? []).flatMap(([from, to]) => snippet.slice(from, to).match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  if (found.length === 0) return [title];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...new Set(found)].join('|')})`, 'giu');
  return marked(
    title,
    Array.from(title.matchAll(pattern), ({ 0: { length }, index }) => [index, index + length]),
  );
}

/** The links of a result: to its page, and to the sections of it that fit, each once. */
export function targetsOf(hit: Hit, position: number): { readonly page: Target; readonly sections: readonly Target[] } {
  const title = hit.title || hit.url;
  const sections = [hit.section, ...(hit.sections ?? [])].filter((section) => section !== undefined);
  const anchors = new Map(sections.map(({ anchor, heading }) => [anchor, heading]));
  return {
    page: { url: webAddress(hit.url)?.href ?? '', title, position, hit },
    sections: [...anchors].slice(0, MOST_SECTIONS).map(([anchor, heading]) => {
      const url = webAddress(hit.url);
      if (url) url.hash = anchor;
      return { url: url?.href ?? '', title: heading, position, hit };
    }),
  };
}

/** Where the page is: its site in a group, the steps of its address, and its version. */
export function breadcrumb({ url, siteName, metadata }: Hit): TemplateResult | typeof nothing {
  const address = webAddress(url);
  const steps = [...(siteName ? [siteName] : []), ...(address ? crumbsOf(address) : [url])];
  const { version } = metadata;
  const isVersion = typeof version === 'string' || typeof version === 'number';
  return html`<span class="crumbs" part="breadcrumb">
    ${steps.map((step, i) => html`${i > 0 ? html` <i aria-hidden="true">›</i> ` : nothing}<bdi>${step}</bdi>`)}
    ${isVersion ? html`<b>${String(version)}</b>` : nothing}
  </span>`;
}

/** The passage that fits best, or what the page is about. */
export function snippet({ snippet: text, highlights, metadata }: Hit): TemplateResult | typeof nothing {
  const parts = text ? marked(text, highlights) : [metadata.summary ?? ''];
  return parts.join('') === '' ? nothing : html`<span class="snippet" part="snippet"><bdi>${parts}</bdi></span>`;
}
