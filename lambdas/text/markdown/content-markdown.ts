import { LOOSE_PERMALINK, PERMALINK, spanned } from '../extraction/block-writer.ts';
import { INLINE, isBehindElement, isLink, roleOf } from '../extraction/content-blocks.ts';
import { type Cell, TableRows } from '../extraction/table-rows.ts';
import type { HtmlNode, HtmlTree } from '../html/tree.ts';
import { wordSet } from '../html/word-set.ts';
import type { Block } from '../page-content.ts';
import { codeLanguage, preformatted } from './code-in-html.ts';
import { codeBlock, collapsed, escapedStart, heading, table } from './escape-markdown.ts';
import { linkTarget } from './link-target.ts';
import { cellOf, inlineOf, LINE_BREAK, paragraphOf, type Run, type RunStyle } from './markdown-runs.ts';

/** A block with its Markdown. Its text decides whether the block repeats another one or the title. */
export type MarkdownBlock = Block & { readonly markdown: string };

const CODE = wordSet('code kbd samp tt');
const STRONG = wordSet('b strong');
const EMPHASIS = wordSet('em i');
/** Lists and quotes nested more deeply are written as the blocks in them. */
const MAX_NESTED = 8;

type Item = { readonly blocks: MarkdownBlock[] };
type MarkdownList = { readonly items: Item[]; readonly isOrdered: boolean; readonly start: number };

/** Reads content below roots as Markdown, without what is dropped and without text that is never shown. */
export class MarkdownReader {
  readonly #tree: HtmlTree;
  readonly #dropped: Uint8Array;
  readonly #base: string;
  /** The most characters. Reading ends beyond them. */
  #room: number;
  #blocks: MarkdownBlock[] = [];
  #runs: Run[] = [];
  /** Inside a heading or a cell, where all is one line. */
  #isFlat = false;
  #nested = 0;

  constructor(tree: HtmlTree, dropped: Uint8Array, base: string, room: number) {
    this.#tree = tree;
    this.#dropped = dropped;
    this.#base = base;
    this.#room = room;
  }

  read(roots: readonly number[]): readonly MarkdownBlock[] {
    for (const root of roots) {
      this.#read(root, this.#linkAround(root));
      this.#endParagraph();
    }
    return this.#blocks;
  }

  /** A root may be inside a link. */
  #linkAround(root: number): RunStyle {
    for (let i = this.#tree[root]?.parent ?? -1; i > 0; i = this.#tree[i]?.parent ?? -1) {
      const node = this.#tree[i];
      if (node && isLink(node)) return this.#styleOf(i, node, {});
    }
    return {};
  }

  #children(index: number, style: RunStyle): void {
    const end = this.#tree[index]?.end ?? 0;
    for (let i = index + 1; i < end && this.#room > 0; i = this.#tree[i]?.end ?? end) this.#read(i, style);
  }

  #read(index: number, style: RunStyle): void {
    const node = this.#tree[index];
    if (!node || this.#dropped[index] === 1 || node.attributes['data-nosnippet'] !== undefined) return;
    if (node.name === '') this.#addText(node, style);
    else if (node.name === 'br') this.#runs.push(this.#isFlat ? { text: ' ' } : LINE_BREAK);
    else if (INLINE.has(node.name)) this.#readInline(index, node, style);
    else if (this.#isFlat) this.#readFlat(index, style);
    else this.#readBlock(index, node, style);
  }

  /** White space between blocks begins no paragraph. */
  #addText({ text, length }: HtmlNode, style: RunStyle): void {
    if (length > 0 || this.#runs.length > 0) this.#runs.push({ ...style, text });
  }

  #readInline(index: number, node: HtmlNode, style: RunStyle): void {
    if (node.name === 'a' && isBehindElement(this.#tree, index, node)) this.#runs.push({ text: ' ' });
    this.#children(index, this.#styleOf(index, node, style));
  }

  #readFlat(index: number, style: RunStyle): void {
    this.#runs.push({ text: ' ' });
    this.#children(index, style);
    this.#runs.push({ text: ' ' });
  }

  #styleOf(index: number, { name, attributes }: HtmlNode, style: RunStyle): RunStyle {
    if (CODE.has(name)) return { ...style, code: index };
    if (STRONG.has(name)) return { ...style, strong: true };
    if (EMPHASIS.has(name)) return { ...style, emphasis: true };
    if (name !== 'a' || attributes.href === undefined) return style;
    const { link, href: _, ...around } = style;
    const href = linkTarget(attributes.href, this.#base);
    return href === undefined ? around : { ...around, link: index, href };
  }

  #readBlock(index: number, node: HtmlNode, style: RunStyle): void {
    this.#endParagraph();
    const role = roleOf(this.#tree, index, node);
    if (role === 'heading') this.#addHeading(index, node, style);
    else if (role === 'code') this.#addCode(index);
    else if (role === 'table') this.#addTable(index, style);
    else if (this.#nested >= MAX_NESTED) this.#children(index, style);
    else if (role === 'list') this.#addList(index, node, style);
    else if (node.name === 'blockquote') this.#addQuote(index, style);
    else this.#children(index, style);
    this.#endParagraph();
  }

  #endParagraph(): void {
    if (this.#runs.length === 0) return;
    const markdown = paragraphOf(this.#runs);
    this.#runs = [];
    this.#add({ kind: 'text', text: markdown, markdown });
  }

  #add(block: MarkdownBlock): void {
    if (block.markdown === '') return;
    this.#room -= block.markdown.length;
    this.#blocks.push(block);
  }

  #addHeading(index: number, node: HtmlNode, style: RunStyle): void {
    const runs = withoutPermalinks(this.#flatRuns(index, style), this.#base);
    const text = collapsed(runs.map((run) => run.text).join('')).trim();
    const level = Number(node.name[1]) as 1 | 2 | 3 | 4 | 5 | 6;
    if (text !== '') this.#add({ kind: 'heading', level, text, markdown: heading(level, inlineOf(runs)) });
  }

  #addCode(index: number): void {
    const text = preformatted(this.#tree, index, this.#dropped);
    if (text === '') return;
    const markdown = codeBlock(text, codeLanguage(this.#tree, index));
    this.#add({ kind: 'code', text, markdown });
  }

  #flatRuns(index: number, style: RunStyle): readonly Run[] {
    const outer = this.#runs;
    const wasFlat = this.#isFlat;
    this.#runs = [];
    this.#isFlat = true;
    this.#children(index, style);
    const runs = this.#runs;
    this.#runs = outer;
    this.#isFlat = wasFlat;
    return runs;
  }

  /** Returns the blocks below a node, which its caller puts into an item or a quote. */
  #inner(read: () => void): MarkdownBlock[] {
    const outer = this.#blocks;
    this.#blocks = [];
    this.#nested++;
    read();
    this.#endParagraph();
    this.#nested--;
    const inner = this.#blocks;
    this.#blocks = outer;
    return inner;
  }

  #addQuote(index: number, style: RunStyle): void {
    const blocks = this.#inner(() => this.#children(index, style));
    if (blocks.length === 0) return;
    const markdown = joined(blocks)
      .replace(/^(?=.)/gm, '> ')
      .replace(/^$/gm, '>');
    this.#blocks.push({ kind: 'text', text: markdown, markdown });
  }

  #addList(index: number, { name, attributes }: HtmlNode, style: RunStyle): void {
    const first = Number.parseInt(attributes.start ?? '1', 10);
    const list: MarkdownList = { items: [], isOrdered: name === 'ol', start: first >= 0 && first < 1e8 ? first : 1 };
    this.#readItems(index, list, style);
    const items: readonly Item[] = list.items.filter(({ blocks }) => blocks.length > 0);
    if (items.length === 0) return;
    const marks = marksOf(list.isOrdered, this.#blocks.at(-1));
    const markdown = items
      .map((item, i) => itemOf(item, list.isOrdered ? `${list.start + i}${marks}` : marks))
      .join('\n');
    this.#blocks.push({ kind: 'list', text: markdown, markdown });
  }

  #readItems(index: number, list: MarkdownList, style: RunStyle): void {
    const end = this.#tree[index]?.end ?? 0;
    for (let i = index + 1; i < end && this.#room > 0; i = this.#tree[i]?.end ?? end) {
      const node = this.#tree[i];
      if (!node || this.#dropped[i] === 1) continue;
      const role = node.name === '' || INLINE.has(node.name) ? 'inline' : roleOf(this.#tree, i, node);
      if (role === 'other') this.#readItems(i, list, style);
      else
        addItem(
          list.items,
          role,
          this.#inner(() => this.#read(i, style)),
        );
    }
  }

  #addTable(index: number, style: RunStyle): void {
    const rows = new TableRows();
    this.#readRows(index, rows, style, false);
    const { rows: cells, head } = rows.endCells();
    if (cells.length === 0) return;
    const isPlain = head === undefined && cells.every((row) => row.length === 1);
    const before = isPlain ? cells : cells.slice(0, head ?? 0);
    for (const row of before) this.#addLine(escapedStart(row.join(' ')));
    if (isPlain) return;
    const markdown = head === undefined ? table(cells) : table(cells.slice(head + 1), cells[head]);
    this.#add({ kind: 'table', text: markdown, markdown });
  }

  #addLine(markdown: string): void {
    this.#add({ kind: 'text', text: markdown, markdown });
  }

  #readRows(index: number, rows: TableRows, style: RunStyle, isInHead: boolean): void {
    const row: Cell[] = [];
    const end = this.#tree[index]?.end ?? 0;
    for (let i = index + 1; i < end && this.#room > 0; i = this.#tree[i]?.end ?? end) {
      const node = this.#tree[i];
      if (!node || node.name === '' || this.#dropped[i] === 1) continue;
      if (node.name === 'td' || node.name === 'th') row.push(this.#cell(i, node, style));
      else if (node.name === 'caption') this.#addLine(paragraphOf(this.#flatRuns(i, style)));
      else this.#readRows(i, rows, style, isInHead || node.name === 'thead');
    }
    if (row.length > 0) rows.add(row, isInHead);
  }

  #cell(index: number, { name, attributes }: HtmlNode, style: RunStyle): Cell {
    const text = cellOf(this.#flatRuns(index, style));
    this.#room -= text.length;
    const [columns, rows] = [spanned(attributes.colspan), spanned(attributes.rowspan)];
    return { text, isHeading: name === 'th', columns, rows };
  }
}

/** Does not spread: a page has more blocks than a call may have arguments. */
function addAll<T>(list: T[], added: readonly T[]): void {
  for (const one of added) list.push(one);
}

/** Anything but an item continues the last one, as the explanation of a term does. */
function addItem(items: Item[], role: string, blocks: MarkdownBlock[]): void {
  const last = items.at(-1);
  if (role === 'item' || !last) items.push({ blocks });
  else addAll(last.blocks, blocks);
}

const joined = (blocks: readonly MarkdownBlock[]): string => blocks.map(({ markdown }) => markdown).join('\n\n');

/** Returns the marks of items that differ from those of a list right above, with which they would form one list. */
function marksOf(isOrdered: boolean, above: MarkdownBlock | undefined): string {
  const before = above?.kind === 'list' ? above.markdown : '';
  if (isOrdered) return /^\d{1,9}\. /.test(before) ? ') ' : '. ';
  return before.startsWith('- ') ? '* ' : '- ';
}

/** Returns an item, with a nested list right below its text. */
function itemOf({ blocks }: Item, mark: string): string {
  const parts = blocks.map(({ kind, markdown }, i) => {
    const isBelowText = kind === 'list' && blocks[i - 1]?.kind === 'text';
    return i === 0 ? markdown : `${isBelowText ? '\n' : '\n\n'}${markdown}`;
  });
  return mark + parts.join('').replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
}

/** Removes links of a heading to itself, with their sign if they are nothing else. */
function withoutPermalinks(runs: readonly Run[], base: string): readonly Run[] {
  const own = `${base.split('#', 1)[0]}#`;
  const kept = runs.filter(({ link, text }) => link === undefined || !PERMALINK.test(text));
  const unlinked = kept.map((run) => (run.href?.startsWith(own) ? withoutLink(run) : run));
  const [only] = unlinked;
  if (!only || unlinked.some((run) => run.link !== undefined || run.code !== undefined)) return unlinked;
  const text = collapsed(unlinked.map((run) => run.text).join('')).trim();
  const shown = text.replace(LOOSE_PERMALINK, '');
  return shown === text ? unlinked : [{ text: shown }];
}

const withoutLink = ({ link, href, ...run }: Run): Run => run;
