import { defined } from '../defined.ts';
import { NO_SOURCE_VALUES } from '../fields/source-values.ts';
import { sourceMarkdown } from '../markdown/source-markdown.ts';
import { textLanguage } from '../metadata/page-language.ts';
import { webUrl } from '../metadata/page-links.ts';
import { pageSummary } from '../metadata/page-summary.ts';
import { extractedTags } from '../metadata/page-tags.ts';
import { titleFromText, withoutTitle } from '../metadata/title-from-blocks.ts';
import type { Link, PageContent } from '../page-content.ts';
import { markdownBlocks } from './markdown-blocks.ts';

const MAX_LINKS = 1_000;
const LINK = /\]\(\s{0,9}<?([^\s<>()]{1,2048})|<(https?:\/\/[^\s<>]{1,2048})>/g;

/** Reads Markdown, or plain text from a `.txt` address. The title is the given one, a heading or the first line. */
export function extractText(text: string, pageUrl: string, given = ''): PageContent {
  const isPlain = URL.canParse(pageUrl) && new URL(pageUrl).pathname.toLowerCase().endsWith('.txt');
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const blocks = markdownBlocks(lines, isPlain ? 'plain' : 'markdown');
  const title = given || titleFromText(blocks);
  const rest = withoutTitle(blocks, title);
  const language = textLanguage(rest);
  const description = pageSummary('', title, rest);
  return {
    title,
    ...defined({ description, language }),
    tags: extractedTags({ title, blocks: rest, language }),
    blocks: rest,
    links: isPlain ? [] : markdownLinks(text, pageUrl),
    noindex: false,
    nofollow: false,
    sourceValues: NO_SOURCE_VALUES,
    ...(!isPlain && { markdown: sourceMarkdown(lines), isMarkdown: true }),
  };
}

function markdownLinks(text: string, pageUrl: string): readonly Link[] {
  const links = new Set<string>();
  for (const match of text.matchAll(LINK)) {
    const raw = match[1] ?? match[2];
    const href = raw?.startsWith('#') ? undefined : webUrl(raw, pageUrl);
    if (href !== undefined) links.add(href);
    if (links.size >= MAX_LINKS) break;
  }
  return [...links].map((href) => ({ href, nofollow: false }));
}
