import { oneLine } from '../metadata/page-head.ts';
import type { Block } from '../page-content.ts';
import type { LinkedBlock } from './listed-text.ts';
import { withoutRules } from './ruled-lines.ts';
import { type Cell, TableRows } from './table-rows.ts';

export type BlockRole =
  | 'heading'
  | 'list'
  | 'item'
  | 'explanation'
  | 'code'
  | 'table'
  | 'head'
  | 'row'
  | 'cell'
  | 'other';
type Element = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;
type BodyKind = Exclude<Block['kind'], 'heading'>;

/** The text of a link from a heading to itself. */
export const PERMALINK = /^\s*[¶#§🔗]\s*$/u;
/** A permalink written as plain text. A `#` right behind a word (C#) and a leading `§` belong to the heading. */
export const LOOSE_PERMALINK = /^[¶🔗]\s*|^#\s|(?:(?<!\s)|(?<=^#\s))\s+[¶🔗]$|[¶🔗]$|\s[#§]$/gu;
const MAX_ANCHOR = 200;
/** Minimum share of a heading inside a link that makes the whole heading a link. A date may follow the link. */
const LINKED_SHARE = 0.7;
/** Prefix of a list's line for each level of nesting. */
const INDENT = '  ';
const DEEPEST_INDENT = 5;
const MAX_SPANNED = 1_000;

/** Collects text into blocks, while its caller enters and leaves elements in document order. */
export class BlockWriter {
  readonly #blocks: LinkedBlock[] = [];
  readonly #depth: Record<BlockRole, number> = {
    heading: 0,
    list: 0,
    item: 0,
    explanation: 0,
    code: 0,
    table: 0,
    head: 0,
    row: 0,
    cell: 0,
    other: 0,
  };
  /** The line so far, with its white space as written. */
  #line = '';
  #lines: string[] = [];
  readonly #rows = new TableRows();
  #cells: Cell[] = [];
  #cell: string[] = [];
  /** The cell that is being written. */
  #element: Element | undefined;
  /** The list item already has a line. Further lines are nested in it. */
  #isItemBegun = false;
  #level: HeadingLevel = 1;
  #anchor: string | undefined;
  #linked = 0;
  #href = '';
  /** Texts that are searched only. They follow the block that is being written. */
  #searchOnly: string[] = [];

  /** Adds text. `href` is the target of the link around it. */
  addText(text: string, href?: string): void {
    if (href !== undefined && this.#depth.heading > 0 && PERMALINK.test(text)) return;
    this.#line += text;
    if (href === undefined) return;
    this.#linked += text.trim().length;
    this.#href = href;
  }

  /** Adds a space between two words, except in code. */
  addGap(): void {
    if (this.#depth.code === 0) this.#line += ' ';
  }

  /** Adds blocks that are searched but never shown, behind the block that is being written. */
  addSearchOnly(blocks: readonly Block[]): void {
    const text = blocks.map((block) => block.text).join('\n');
    if (text === '') return;
    this.addGap();
    this.#searchOnly.push(text);
    const isBetween = this.#line.trim() === '' && this.#lines.length === 0 && this.#cells.length === 0;
    if (isBetween && this.#cell.length === 0 && this.#rows.isEmpty && this.#depth.heading === 0) this.#pushSearchOnly();
  }

  /** Ends the block at a left-out element that is not inline. */
  breakBlock(): void {
    this.#endPart();
  }

  /** Gives the next heading this anchor, unless other text comes first. */
  addAnchor(anchor: string | undefined): void {
    if (anchor !== undefined && anchor !== '' && anchor.length <= MAX_ANCHOR) this.#anchor = anchor;
  }

  enter(role: BlockRole, element: Element, anchor: string | undefined): void {
    this.#endPart();
    if (role === 'heading' || (role === 'code' && this.#depth.code === 0)) this.#endBlock();
    if (role === 'list' && this.#kind() === 'text') this.#endBlock();
    if (role === 'table' && this.#depth.table === 0) this.#endBlock();
    if (role === 'row' && this.#cell.length > 0) this.#endRow();
    if (role === 'heading') this.#level = Number(element.name[1]) as HeadingLevel;
    if (role === 'cell') this.#element = element;
    if (role === 'item' || role === 'explanation') this.#isItemBegun = false;
    this.addAnchor(anchor);
    this.#depth[role]++;
  }

  leave(role: BlockRole): void {
    if (role === 'code' && this.#depth.code === 1) this.#endCode();
    else this.#endPart();
    if (role === 'heading') this.#endHeading();
    if (role === 'cell') this.#endCell();
    if (role === 'row') this.#endRow();
    const kind = this.#kind();
    this.#depth[role]--;
    if (this.#kind() !== kind) this.#endBlock(kind);
  }

  breakLine(): void {
    if (this.#depth.code > 0) {
      this.#line += '\n';
      return;
    }
    if (this.#line === '') return;
    const text = oneLine(this.#line);
    this.#line = '';
    if (text === '') return;
    if (this.#kind() === 'table') this.#cell.push(text);
    else this.#lines.push(this.#indent() + text);
    this.#isItemBegun = true;
    if (this.#depth.heading === 0) this.#anchor = undefined;
  }

  finish(): readonly LinkedBlock[] {
    this.#endPart();
    this.#endBlock();
    this.#pushSearchOnly();
    return this.#blocks;
  }

  #kind(): BodyKind {
    if (this.#depth.code > 0) return 'code';
    if (this.#depth.table > 0) return 'table';
    return this.#depth.list > 0 ? 'list' : 'text';
  }

  #indent(): string {
    const { heading, list, item, explanation } = this.#depth;
    if (list === 0 || heading > 0) return '';
    const isFurther = item > 0 && this.#isItemBegun ? 1 : 0;
    return INDENT.repeat(Math.min(DEEPEST_INDENT, list - 1 + explanation + isFurther));
  }

  /** Ends a line or a block at the start and at the end of an element that is not inline. */
  #endPart(): void {
    if (this.#depth.code > 0) {
      if (this.#line !== '' && !this.#line.endsWith('\n')) this.#line += '\n';
      return;
    }
    this.breakLine();
    if (this.#kind() === 'text' && this.#depth.heading === 0) this.#endBlock();
  }

  #endCode(): void {
    const start = this.#line.lastIndexOf('\n', this.#line.search(/\S/)) + 1;
    const code = this.#line.slice(start).trimEnd().replace(/\r\n?/g, '\n');
    this.#line = '';
    if (code !== '') this.#push('code', code);
  }

  #endHeading(): void {
    const text = this.#lines.join(' ').replace(LOOSE_PERMALINK, '');
    this.#lines = [];
    const anchor = this.#anchor;
    this.#anchor = undefined;
    const href = this.#linked >= LINKED_SHARE * text.length ? this.#href : undefined;
    this.#linked = 0;
    if (text !== '')
      this.#blocks.push({
        kind: 'heading',
        level: this.#level,
        text,
        ...(anchor && { anchor }),
        ...(href && { href }),
      });
    this.#pushSearchOnly();
  }

  #endCell(): void {
    const { name, attributes } = this.#element ?? { name: '', attributes: {} };
    const [columns, rows] = [spanned(attributes.colspan), spanned(attributes.rowspan)];
    this.#cells.push({ text: this.#cell.join(' '), isHeading: name === 'th', columns, rows });
    this.#cell = [];
    this.#element = undefined;
  }

  #endRow(): void {
    if (this.#cell.length > 0) this.#endCell();
    this.#rows.add(this.#cells, this.#depth.head > 0);
    this.#cells = [];
  }

  #endBlock(kind: BodyKind = this.#kind()): void {
    if (kind === 'table') {
      if (this.#cell.length > 0 || this.#cells.length > 0) this.#endRow();
      const { text, head } = this.#rows.end();
      this.#push(kind, text, head);
    } else if (this.#lines.length > 0) {
      this.#push(kind, this.#lines.join('\n'));
    }
    this.#lines = [];
  }

  #push(kind: BodyKind, written: string, head?: number): void {
    const text = withoutRules(written);
    if (text.trim() === '') return;
    const linked = Math.min(this.#linked, text.length);
    this.#linked = 0;
    const isHeaded = head !== undefined && text === written;
    this.#blocks.push({ kind, text, ...(isHeaded && { head }), ...(linked > 0 && { linked }) });
    this.#pushSearchOnly();
  }

  #pushSearchOnly(): void {
    for (const text of this.#searchOnly) this.#blocks.push({ kind: 'text', text, isSearchOnly: true });
    this.#searchOnly = [];
  }
}

/** Returns the number of columns or rows of a cell. */
export const spanned = (written = '1'): number => Math.min(MAX_SPANNED, Math.max(1, Number.parseInt(written, 10) || 1));
