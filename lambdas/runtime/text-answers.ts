import { header } from './api-event.ts';
import type { EndpointHandler } from './endpoint.ts';

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';

/** Makes a handler answer with the field `markdown` of its answer, as Markdown, to clients that prefer it. */
export const alsoMarkdown = (handler: EndpointHandler): EndpointHandler =>
  handler.after(({ event, response }) => {
    if (!response) return;
    // Caches must not give one form to those who asked for the other.
    response.headers.Vary = 'Origin, Accept';
    if (!prefersMarkdown(header(event, 'accept') ?? '')) return;
    const { url, markdown } = JSON.parse(response.body) as { readonly url: string; readonly markdown: string };
    response.headers['Content-Type'] = `${MARKDOWN}; charset=utf-8`;
    response.headers.Link = `<${new URL(url).href}>; rel="canonical"`;
    response.body = markdown;
  });

/** Makes a handler answer with its string as plain text. */
export const asText = (handler: EndpointHandler): EndpointHandler =>
  handler.after(({ response }) => {
    if (!response) return;
    response.headers['Content-Type'] = 'text/plain; charset=utf-8';
    response.body = JSON.parse(response.body);
  });

/** Returns whether a client names Markdown, and not JSON before it or with a higher quality (RFC 9110, 12.5.1). */
export function prefersMarkdown(accept: string): boolean {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return { type, quality: Number.isNaN(quality) ? 0 : quality };
  });
  const best = ranges
    .filter(({ type, quality }) => (type === MARKDOWN || type === JSON_TYPE) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)[0];
  return best?.type === MARKDOWN;
}
