import { defined } from '../defined.ts';
import type { FetchedPage } from '../fetched-page.ts';
import type { PageContent } from '../page-content.ts';
import { hasBinarySignature } from '../web/binary-body.ts';
import { decodeBody } from '../web/charset.ts';
import { withoutControls } from '../without-controls.ts';
import { extractHtml } from './extract-html.ts';
import { extractText } from './extract-text.ts';

const XHTML = 'application/xhtml+xml';
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT = /^text\/(?:plain|markdown|x-markdown)$/;
/** Recognises HTML in a response without a media type. */
const LOOKS_LIKE_HTML = /^\s*<(?:!doctype|!--|html|head|body|\?xml)/i;

const mediaTypeOf = (contentType: string | undefined): string | undefined =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase();

/** Returns whether a response is declared as HTML and its first bytes do not contradict that. */
export const isHtml = ({ contentType, body }: Pick<FetchedPage, 'contentType' | 'body'>): boolean =>
  HTML.test(mediaTypeOf(contentType) ?? '') && !hasBinarySignature(body);

/** Reads the body of a response; undefined if it is neither HTML nor text, whatever its declared type. */
export function extractPage({ url, contentType, body, sources, selection }: FetchedPage): PageContent | undefined {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType && !HTML.test(mediaType) && !TEXT.test(mediaType)) return undefined;
  if (hasBinarySignature(body)) return undefined;
  const text = decodeBody(body, contentType);
  const start = text.slice(0, 1024);
  // Browsers show an HTML page that contains a NUL.
  if (start.includes('\0') && !LOOKS_LIKE_HTML.test(start)) return undefined;
  const html = mediaType ? HTML.test(mediaType) : LOOKS_LIKE_HTML.test(start);
  const { markdown, ...content }: PageContent = html
    ? extractHtml(text, url, {
        xml: mediaType === XHTML,
        ...(sources && { sources }),
        ...(selection && { selection }),
      })
    : extractText(text, url);
  // Last step: escapes in attributes and JSON-LD can produce control characters. Markdown has none (visible-text.ts).
  return { ...withoutControls(content), ...defined({ markdown }) };
}
