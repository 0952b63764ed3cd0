import { defined } from '../../../text/defined.ts';
import { extractHtml } from '../../../text/extraction/extract-html.ts';
import { extractText } from '../../../text/extraction/extract-text.ts';
import type { FieldSource } from '../../../text/fields/field-source.ts';
import { oneLine } from '../../../text/metadata/page-head.ts';
import type { PageContent } from '../../../text/page-content.ts';
import type { PageInput } from './page-input.ts';

/** Returns the content of a page. Fields of the request take precedence over extracted ones. */
export function ingestedContent(input: PageInput, url: string, sources: readonly FieldSource[] = []): PageContent {
  const extracted = readContent(input, url, sources);
  const description = input.summary === undefined ? extracted.description : oneLine(input.summary);
  const language = primarySubtag(input.language) ?? extracted.language;
  const publishedAt = input.publishedAt ?? extracted.publishedAt;
  return {
    title: extracted.title,
    ...(description && { description }),
    ...defined({ language, publishedAt }),
    tags: input.tags === undefined ? extracted.tags : [...new Set(input.tags.map(oneLine))].filter((tag) => tag !== ''),
    blocks: extracted.blocks,
    // The links of an ingested page are not followed, and its own directives are ignored.
    links: [],
    noindex: false,
    nofollow: false,
    ...defined({
      sourceValues: extracted.sourceValues,
      markdown: extracted.markdown,
      isMarkdown: extracted.isMarkdown,
    }),
  };
}

function readContent(
  { content, contentType, preProcessed, title: given = '' }: PageInput,
  url: string,
  sources: readonly FieldSource[],
): PageContent {
  const title = oneLine(given);
  return contentType === 'text'
    ? extractText(content, url, title)
    : extractHtml(content, url, { title, clean: preProcessed, sources });
}

const primarySubtag = (tag: string | undefined): string | undefined => tag?.split(/[-_]/, 1)[0]?.toLowerCase();
