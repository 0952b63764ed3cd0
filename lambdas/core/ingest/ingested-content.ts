import { contentBlocks } from '../content/content-blocks.ts';
import { withoutText } from '../content/dropped-nodes.ts';
import { extractHtml } from '../content/extract-html.ts';
import { extractText } from '../content/extract-text.ts';
import { parseHtml } from '../content/html-tree.ts';
import type { Block, PageContent } from '../content/page-content.ts';
import { oneLine } from '../content/page-head.ts';
import { withoutTitle } from '../content/title-from-blocks.ts';
import type { PageInput } from './page-input.ts';

/** What is kept of an ingested page: what its owner says about it, and what the content says where the owner is silent. */
export function ingestedContent(input: PageInput, url: string): PageContent {
  const read = readContent(input, url);
  const title = oneLine(input.title ?? '') || read.title;
  const description = input.summary === undefined ? read.description : oneLine(input.summary);
  const language = primarySubtag(input.language) ?? read.language;
  const publishedAt = input.publishedAt ?? read.publishedAt;
  return {
    title,
    ...(description && { description }),
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
    tags: input.tags === undefined ? read.tags : [...new Set(input.tags.map(oneLine))].filter((tag) => tag !== ''),
    blocks: withoutTitle(withOwnTitle(read), title),
    // Nothing follows the links of an ingested page, and its owner wants it indexed whatever it says.
    links: [],
    noindex: false,
    nofollow: false,
  };
}

function readContent({ content, contentType, preProcessed }: PageInput, url: string): PageContent {
  if (contentType === 'text') return extractText(content, url);
  const read = extractHtml(content, url);
  return preProcessed ? { ...read, blocks: allBlocks(content) } : read;
}

/** The blocks under the title that was read, which readers take out of them and which may not be the one that is given. */
function withOwnTitle({ title, blocks }: PageContent): readonly Block[] {
  const isThere = blocks.some(({ kind, text }, place) =>
    place === 0 ? text.startsWith(title) : kind === 'heading' && text === title,
  );
  return isThere || title === '' || blocks.length === 0
    ? blocks
    : [{ kind: 'heading', level: 1, text: title }, ...blocks];
}

/** All text of a page, with nothing taken for boilerplate. */
function allBlocks(html: string): readonly Block[] {
  const tree = parseHtml(html);
  return contentBlocks(tree, 0, withoutText(tree));
}

const primarySubtag = (tag: string | undefined): string | undefined => tag?.split(/[-_]/, 1)[0]?.toLowerCase();
