import { parseHtml } from '../html/parse-html.ts';
import { oneLine } from '../metadata/page-head.ts';
import type { Block } from '../page-content.ts';
import { contentBlocks } from './content-blocks.ts';
import { plainInline } from './markdown-inline.ts';
import { withoutText } from './node-mask.ts';
import { withoutRules } from './ruled-lines.ts';
import { type Cell, TableRows } from './table-rows.ts';

type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;
type BodyKind = Exclude<Block['kind'], 'heading'>;

const FENCE = /^(\s{0,40})(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+)$/;
/** Attributes behind a heading, such as its anchor, as in Kramdown. */
const ATTRIBUTES = /\s\{:?\s?[#.][^{}]{0,200}\}$/;
const UNDERLINE = /^ {0,3}(={2,}|-{2,})[ \t]*$/;
const LIST_ITEM = /^(\s{0,40})(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const TABLE_ROW = /^\s{0,9}\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;
const REFERENCE = /^ {0,3}\[[^\][]{1,200}\]:\s{1,9}\S/;
/** The kind of a note in GitHub's syntax. */
const ALERT = /^\[!([A-Z])([A-Z]{1,20})\]\s*$/;
const INDENTED = /^(?: {4}|\t)/;
/** Minimum number of spaces that nest an item, and the maximum level. */
const [NESTED, DEEPEST] = [2, 5] as const;
/** Elements that are read as HTML up to their end tag. */
const HTML = /^\s{0,40}<(table|dl|ul|ol|pre|script|style)(?![\w-])/i;
const COMMENT = /^\s{0,40}<!--/;
const COMMENT_END = '-->';
const HTML_TAGS = /<(\/?)(table|dl|ul|ol|pre|script|style)(?![\w-])/gi;
const QUOTED = /^\s{0,3}>/;
/** A line between paragraphs. */
const RULE = /^ {0,3}([-*_])(?:[ \t]{0,9}\1){2,}[ \t]*$/;
const ENDS_SENTENCE = /[.!?:\u2026\u3002\uff01\uff1f]["'\u2019\u201d)\]*_]{0,3}$/;
/** Minimum length of a line that was probably wrapped at a margin, in characters. */
const WRAPPED = 40;
const FRONT_MATTER_LINES = 200;

/**
 * Reads the blocks that most Markdown files have, and lists, tables and code in HTML. `plain` has only paragraphs. Why
 * no library does it: docs/decisions/016-parsers.md.
 */
export function markdownBlocks(lines: readonly string[], syntax: 'plain' | 'markdown'): readonly Block[] {
  const reader = new MarkdownReader();
  const lastEnd = lines.findLastIndex((line) => line.includes(COMMENT_END));
  if (syntax === 'plain') for (const line of [...lines, '']) reader.addPlain(line);
  else for (let i = frontMatterEnd(lines); i < lines.length; i++) reader.add(lines[i] ?? '', i <= lastEnd);
  return reader.finish();
}

export function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.slice(1, FRONT_MATTER_LINES).findIndex((line) => line.trim() === '---');
  return end < 0 ? 0 : end + 2;
}

class MarkdownReader {
  readonly #blocks: Block[] = [];
  #kind: BodyKind = 'text';
  /** Lines as written, except in code. */
  #lines: string[] = [];
  #items: { readonly depth: number; text: string }[] = [];
  /** The indents of the open items. */
  #indents: number[] = [];
  #rows = new TableRows();
  #row: readonly Cell[] | undefined;
  #fence: { readonly mark: string; readonly indent: number } | undefined;
  #html: { readonly name: string; open: number; readonly lines: string[] } | undefined;
  #isInComment = false;
  #isAfterBlank = true;

  addPlain(line: string): void {
    if (line.trim() !== '') this.#lines.push(line.trimEnd());
    else if (this.#lines.length > 0) this.#endPlain();
  }

  /** Adds a line. `hasEnd`: the line also closes a comment that it opens. */
  add(line: string, hasEnd: boolean): void {
    if (this.#fence !== undefined) this.#addFenced(line, this.#fence);
    else if (this.#html !== undefined) this.#addHtml(line, this.#html);
    else if (this.#isInComment || (hasEnd && COMMENT.test(line))) this.#addComment(line, hasEnd);
    else this.#addOwn(QUOTED.test(line) ? line.replace(/^[\s>]+/, '') : line);
  }

  finish(): readonly Block[] {
    if (this.#html !== undefined) this.#endHtml(this.#html.lines);
    this.#end();
    return this.#blocks;
  }

  #addFenced(line: string, { mark, indent }: { readonly mark: string; readonly indent: number }): void {
    if (FENCE.exec(line)?.[2]?.startsWith(mark)) this.#end();
    else this.#lines.push(line.slice(Math.min(indent, line.search(/\S|$/))));
  }

  #addComment(line: string, hasEnd: boolean): void {
    const end = line.indexOf(COMMENT_END);
    this.#isInComment = end < 0;
    const rest = end < 0 ? '' : line.slice(end + COMMENT_END.length);
    if (rest.trim() !== '') this.add(rest, hasEnd);
  }

  #addOwn(line: string): void {
    const isBlank = line.trim() === '';
    if (!isBlank) this.#addMarked(line);
    else if (this.#kind !== 'list') this.#end();
    this.#isAfterBlank = isBlank;
  }

  #addMarked(line: string): void {
    const [, indent = '', mark] = FENCE.exec(line) ?? [];
    const html = HTML.exec(line)?.[1]?.toLowerCase();
    const heading = HEADING.exec(line);
    const underline = this.#kind === 'text' && this.#lines.length > 0 ? UNDERLINE.exec(line)?.[1] : undefined;
    if (mark !== undefined) {
      this.#start('code');
      this.#fence = { mark, indent: indent.length };
    } else if (html !== undefined) {
      this.#end();
      this.#html = { name: html, open: 0, lines: [] };
      this.#addHtml(line, this.#html);
    } else if (heading !== null) this.#addHeading(heading[1]?.length ?? 1, heading[2] ?? '');
    else if (underline !== undefined) this.#addHeading(underline.startsWith('=') ? 1 : 2, this.#lines.pop() ?? '');
    else if (TABLE_ROW.test(line) || this.#isRowWithoutEdges(line)) this.#addRow(line);
    else this.#addText(line);
  }

  #addText(line: string): void {
    const [, indent, item] = LIST_ITEM.exec(line) ?? [];
    if (item !== undefined && !RULE.test(line)) this.#addItem((indent ?? '').length, item);
    else if (this.#kind === 'list' && (!this.#isAfterBlank || /^\s{2}/.test(line))) this.#addToItem(line.trim());
    else if (INDENTED.test(line) && (this.#isAfterBlank || this.#kind === 'code'))
      this.#addLine('code', line.replace(INDENTED, ''));
    else if (!REFERENCE.test(line) && !RULE.test(line)) this.#addLine('text', line.trimStart());
  }

  #addItem(indent: number, text: string): void {
    if (this.#kind !== 'list') this.#start('list');
    while (indent < (this.#indents.at(-1) ?? -NESTED) + NESTED) this.#indents.pop();
    this.#items.push({ depth: this.#indents.length, text });
    this.#indents.push(indent);
  }

  /** Adds a line to the open item: a new paragraph is nested in it, another line continues it. */
  #addToItem(line: string): void {
    const item = this.#items.at(-1);
    if (item === undefined || this.#isAfterBlank) this.#items.push({ depth: (item?.depth ?? -1) + 1, text: line });
    else item.text += `\n${line}`;
  }

  #addHeading(level: number, raw: string): void {
    this.#end();
    const text = oneLine(
      plainInline(
        raw
          .trim()
          .replace(/[ \t]#{1,6}$/, '')
          .replace(ATTRIBUTES, ''),
      ),
    );
    if (text !== '') this.#blocks.push({ kind: 'heading', level: Math.min(level, 6) as HeadingLevel, text });
  }

  /**
   * Returns whether a line belongs to a table without bars at its edges. The rule below its first row identifies such a
   * table.
   */
  #isRowWithoutEdges(line: string): boolean {
    if (this.#kind === 'table') return line.includes('|');
    const above = this.#kind === 'text' ? this.#lines.at(-1) : undefined;
    if (!above?.includes('|') || !line.includes('|') || !isTableRule(line)) return false;
    this.#lines.pop();
    this.#addRow(above);
    return true;
  }

  #addRow(line: string): void {
    if (this.#kind !== 'table') this.#start('table');
    const isRule = isTableRule(line);
    if (this.#row !== undefined) this.#rows.add(this.#row, isRule && this.#rows.isEmpty);
    this.#row = isRule ? undefined : cellsOf(line);
  }

  #addHtml(line: string, html: { readonly name: string; open: number; readonly lines: string[] }): void {
    html.lines.push(line);
    for (const [, slash, name] of line.matchAll(HTML_TAGS))
      if (name?.toLowerCase() === html.name) html.open += slash === '' ? 1 : -1;
    if (html.open <= 0) this.#endHtml(html.lines);
  }

  #endHtml(lines: readonly string[]): void {
    const tree = parseHtml(lines.join('\n'));
    this.#blocks.push(...contentBlocks(tree, 0, withoutText(tree, new Uint8Array(tree.length))));
    this.#html = undefined;
  }

  #addLine(kind: 'text' | 'code', line: string): void {
    if (kind !== this.#kind) this.#start(kind);
    this.#lines.push(line);
  }

  #start(kind: BodyKind): void {
    this.#end();
    this.#kind = kind;
  }

  #endPlain(): void {
    this.#push({ kind: 'text', text: this.#lines.join('\n') });
    this.#lines = [];
  }

  #end(): void {
    if (this.#row !== undefined) this.#rows.add(this.#row, false);
    if (this.#kind === 'table') this.#push({ kind: 'table', ...this.#rows.end() });
    else this.#push({ kind: this.#kind, text: this.#text() });
    this.#lines = [];
    this.#items = [];
    this.#indents = [];
    this.#row = undefined;
    this.#kind = 'text';
    this.#fence = undefined;
  }

  #text(): string {
    if (this.#kind === 'code') return this.#lines.join('\n');
    if (this.#kind === 'text') return trimmedLines(plainInline(unwrapped(this.#lines)));
    const items = this.#items.map(
      ({ depth, text }) => '  '.repeat(Math.min(depth, DEEPEST)) + oneLine(plainInline(unwrapped(text.split('\n')))),
    );
    return items.filter((item) => item.trim() !== '').join('\n');
  }

  #push({ text: written, ...block }: Extract<Block, { readonly kind: BodyKind }>): void {
    const text = withoutRules(written).trimEnd();
    if (text.trim() !== '') this.#blocks.push({ ...block, text });
  }
}

const trimmedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

const isTableRule = (line: string): boolean => TABLE_RULE.test(line) && line.includes('-');

function cellsOf(line: string): readonly Cell[] {
  const row = line.trim();
  const inner = row.startsWith('|') ? row.slice(1, row.endsWith('|') ? -1 : undefined) : row;
  const cells = inner.split(/(?<!\\)\|/);
  return cells.map((cell) => ({
    text: oneLine(plainInline(cell.replaceAll('\\|', '|'))),
    isHeading: false,
    columns: 1,
    rows: 1,
  }));
}

/** Returns the lines of a paragraph, joining those that were wrapped at a margin. */
function unwrapped(lines: readonly string[]): string {
  const parts: string[] = [];
  for (const [i, line] of lines.entries()) {
    const text = line.replace(ALERT, (_, first: string, rest: string) => first + rest.toLowerCase()).trimEnd();
    const isBroken = line.endsWith('  ') || text.endsWith('\\');
    const isWrapped = !ENDS_SENTENCE.test(text) && (text.length >= WRAPPED || /^\p{Ll}/u.test(lines[i + 1] ?? ''));
    parts.push(text.endsWith('\\') ? text.slice(0, -1) : text, isWrapped && !isBroken ? ' ' : '\n');
  }
  return parts.slice(0, -1).join('');
}
