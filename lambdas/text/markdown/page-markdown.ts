import type { MainContent } from '../extraction/main-content.ts';
import { withoutRepeats } from '../extraction/repeated-blocks.ts';
import type { HtmlTree } from '../html/tree.ts';
import { withoutTitle } from '../metadata/title-from-blocks.ts';
import { type Block, shownBlocks } from '../page-content.ts';
import { MarkdownReader } from './content-markdown.ts';
import { codeBlock, collapsed, escapedInline, escapedLine, heading, table } from './escape-markdown.ts';

/** The most bytes of a page's Markdown. */
export const MAX_MARKDOWN = 1024 * 1024;
/** The last paragraph of Markdown that is cut. */
export const CUT_NOTE = '\\[The rest of this page is left out: its Markdown is longer than 1 MB.\\]';

const GAP = '\n\n';
/** The most bytes of a UTF-16 code unit in UTF-8. */
const MOST_BYTES = 3;

/** Returns the content of a page as Markdown, without the heading that repeats its title. */
export function htmlMarkdown(
  tree: HtmlTree,
  { roots, dropped }: MainContent,
  { base, title, isClean }: { readonly base: string; readonly title: string; readonly isClean: boolean },
): string {
  const blocks = new MarkdownReader(tree, dropped, base, MAX_MARKDOWN).read(roots);
  const kept = withoutTitle(isClean ? blocks : withoutRepeats(blocks), title);
  return bounded(kept.map(({ markdown }) => markdown));
}

/** Returns blocks as Markdown. Stored blocks know no links and no languages. */
export const blocksMarkdown = (blocks: readonly Block[]): string => bounded(shownBlocks(blocks).map(blockMarkdown));

function blockMarkdown(block: Block): string {
  const lines = block.text.split('\n');
  if (block.kind === 'heading') return heading(block.level, escapedInline(collapsed(block.text).trim()));
  if (block.kind === 'code') return codeBlock(block.text);
  if (block.kind === 'list') return lines.map(listItem).join('\n');
  if (block.kind === 'text') return lines.map(escapedLine).join('  \n');
  const rows = lines.map((line) =>
    line.split(' | ').map((cell) => escapedInline(collapsed(cell).trim()).replaceAll('|', '\\|')),
  );
  const { head } = block;
  if (head === undefined) return table(rows);
  const above = rows.slice(0, head).map((cells) => cells.join(' '));
  return [...above, table(rows.slice(head + 1), rows[head])].join('\n\n');
}

/** Returns an item, nested as its line is indented. */
function listItem(line: string): string {
  const text = line.trimStart();
  return `${' '.repeat(line.length - text.length)}- ${escapedLine(text)}`;
}

/** Joins blocks, as far as they fit. A first block that is too long is cut at the end of a line. */
export function bounded(blocks: readonly string[]): string {
  const room = MAX_MARKDOWN - CUT_NOTE.length - GAP.length;
  const whole = blocks.join(GAP);
  if (whole.length * MOST_BYTES <= room || Buffer.byteLength(whole) <= MAX_MARKDOWN) return whole;
  const kept: string[] = [];
  let left = room;
  for (const block of blocks) {
    left -= Buffer.byteLength(block) + GAP.length;
    if (left < 0) break;
    kept.push(block);
  }
  if (kept.length === 0) kept.push(cutBlock(blocks[0] ?? '', room));
  return [...kept, CUT_NOTE].join(GAP);
}

function cutBlock(block: string, room: number): string {
  const [fence = ''] = /^`{3,}/.exec(block) ?? [];
  const start = Buffer.from(block)
    .subarray(0, room - fence.length - 1)
    .toString();
  const text = start.slice(0, Math.max(start.lastIndexOf('\n'), 0) || undefined);
  return fence === '' ? text : `${text}\n${fence}`;
}
