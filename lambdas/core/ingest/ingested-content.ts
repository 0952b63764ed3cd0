import { extractHtml } from '../content/extraction/extract-html.ts';
import { extractText } from '../content/extraction/extract-text.ts';
import { oneLine } from '../content/metadata/page-head.ts';
import type { PageContent } from '../content/page-content.ts';
import type { PageInput } from './page-input.ts';

/** What is kept of an ingested page: what its owner says about it, and what the content says where the owner is silent. */
export function ingestedContent(input: PageInput, url: string): PageContent {
  const read = readContent(input, url);
  const description = input.summary === undefined ? read.description : oneLine(input.summary);
  const language = primarySubtag(input.language) ?? read.language;
  const publishedAt = input.publishedAt ?? read.publishedAt;
  return {
    title: read.title,
    ...(description && { description }),
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
    tags: input.tags === undefined ? read.tags : [...new Set(input.tags.map(oneLine))].filter((tag) => tag !== ''),
    blocks: read.blocks,
    // Nothing follows the links of an ingested page, and its owner wants it indexed whatever it says.
    links: [],
    noindex: false,
    nofollow: false,
  };
}

function readContent({ content, contentType, preProcessed, title: given = '' }: PageInput, url: string): PageContent {
  const title = oneLine(given);
  return contentType === 'text'
    ? extractText(content, url, title)
    : extractHtml(content, url, { title, clean: preProcessed });
}

const primarySubtag = (tag: string | undefined): string | undefined => tag?.split(/[-_]/, 1)[0]?.toLowerCase();
