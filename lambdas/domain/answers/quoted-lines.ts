import { type PassageBlock, passageBlocks } from '../../text/chunking/passage-blocks.ts';
import { isUnspaced } from '../../text/words/count-words.ts';
import { sentencesOf } from '../../text/words/sentences.ts';

/** A row of a table: its first cell, and the others with the names of their columns. */
export type Row = {
  readonly name: string;
  readonly cells: readonly { readonly column: string; readonly value: string }[];
};

/** The unit of quotation: a sentence, a list item, a table row, or a code sample. */
export type QuotedLine = {
  readonly text: string;
  readonly shape: 'sentence' | 'item' | 'row' | 'code';
  /** Index of its paragraph, list or code sample in the passage. */
  readonly block: number;
  /** The sentence begins a line. */
  readonly startsLine: boolean;
  /** Index, in the passage, of the sentence that introduces its list or code sample, or of the parent item. */
  readonly lead: number | undefined;
  /** The term that the line explains. The text begins with it. */
  readonly term?: string;
  readonly row?: Row;
  /** Texts that tell its subject, besides the headings of its passage. */
  readonly context: readonly string[];
};

/** Bounds of a code sample. A longer one is cut between two lines. */
const MAX_CODE_LINES = 15;
const MAX_CODE_WORDS = 70;
const ELLIPSIS = '\u2026';
/** A heading or term is a line of at most 8 words without punctuation at its end. */
const MAX_TERM_WORDS = 8;
const UNFINISHED = /[\p{L}\p{N})>\]"'\u201d]$/u;
const INDENT = /^ */;

/** Returns the lines of a passage in reading order. */
export function quotedLines(blocks: readonly PassageBlock[]): readonly QuotedLine[] {
  const reader = new LineReader();
  for (const block of blocks) reader.add(block);
  return reader.lines;
}

/** Returns the texts of `quotedLines`. */
export const quotedTexts = (passage: string): readonly string[] =>
  quotedLines(passageBlocks(passage)).map(({ text }) => text);

class LineReader {
  readonly lines: QuotedLine[] = [];
  #block = -1;
  /** The last short block. It serves as the heading of the blocks after it. */
  #heading: string | undefined;
  /** Index of the last sentence before a list, a table or a code sample. */
  #lead: number | undefined;

  add(block: PassageBlock): void {
    this.#block++;
    if (block.kind === 'table') this.#addTable(block);
    else if (block.kind === 'code') this.#addCode(block.lines);
    else if (block.kind === 'list') this.#addList(block.lines);
    else this.#addText(block.lines);
  }

  #addText(lines: readonly string[]): void {
    for (const line of lines) this.#addSentences(line, { shape: 'sentence', lead: undefined, context: [] });
    this.#lead = this.lines.length - 1;
    if (lines.length === 1 && isTerm(lines[0] ?? '')) this.#heading = lines[0];
  }

  #addCode(lines: readonly string[]): void {
    this.#add({ text: cutCode(lines), shape: 'code', lead: this.#lead, context: this.#context() });
  }

  #addTable({ above, columns, rows }: Extract<PassageBlock, { readonly kind: 'table' }>): void {
    const context = [...this.#context(), ...above, ...columns.slice(0, 1)];
    for (const line of above) this.#addSentences(line, { shape: 'sentence', lead: undefined, context: [] });
    for (const [name = '', ...values] of rows) {
      const cells = values.flatMap((value, i) => (value === '' ? [] : { column: columns[i + 1] ?? '', value }));
      const row = { name, cells };
      this.#add({ text: rowText(row), shape: 'row', lead: this.#lead, row, context });
    }
  }

  #addList(lines: readonly string[]): void {
    const open: { readonly depth: number; readonly text: string; readonly index: number }[] = [];
    const context = this.#context();
    for (const line of lines) {
      const depth = INDENT.exec(line)?.[0].length ?? 0;
      const text = line.trim();
      while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
      const parent = open.at(-1);
      open.push({ depth, text, index: this.lines.length });
      const isExplained = parent !== undefined && isTerm(parent.text);
      this.#addSentences(text, {
        shape: 'item',
        lead: isExplained ? this.lines[parent.index]?.lead : (parent?.index ?? this.#lead),
        context: parent === undefined ? context : [...context, parent.text],
        ...(isExplained && { term: parent.text }),
      });
    }
  }

  #addSentences(line: string, where: Omit<QuotedLine, 'text' | 'block' | 'startsLine'>): void {
    const { term, ...others } = where;
    for (const [i, sentence] of withWholeBrackets(sentencesOf(line)).entries()) {
      if (i === 0 && term !== undefined) this.#add({ ...where, text: `${term}: ${sentence}` });
      else this.#add({ ...others, text: sentence }, i === 0);
    }
  }

  #add(line: Omit<QuotedLine, 'block' | 'startsLine'>, startsLine = true): void {
    this.lines.push({ ...line, block: this.#block, startsLine });
  }

  #context(): readonly string[] {
    const lead = this.#lead === undefined ? undefined : this.lines[this.#lead]?.text;
    return [this.#heading, lead].filter((text) => text !== undefined);
  }
}

const isTerm = (text: string): boolean => UNFINISHED.test(text) && text.split(/\s+/).length <= MAX_TERM_WORDS;

/** Writes a row as text, such as "eia1.medium: F16 throughput 8". */
export function rowText({ name, cells }: Row): string {
  const values = cells.map(({ column, value }) => (column === '' ? value : `${column} ${value}`));
  const separator = values.some((value) => value.includes(',')) ? '; ' : ', ';
  return [name, values.join(separator)].filter((text) => text !== '').join(': ');
}

function cutCode(lines: readonly string[]): string {
  let words = 0;
  const end = lines.findIndex((line, i) => {
    words += line.split(/\s+/).length;
    return i >= MAX_CODE_LINES || words > MAX_CODE_WORDS;
  });
  return (end <= 0 ? lines : [...lines.slice(0, end), ELLIPSIS]).join('\n');
}

/** Joins sentences that were split inside brackets, as in "(ALTER TABLE ... ENABLE)". */
function withWholeBrackets(parts: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last !== undefined && openBrackets(last) > 0 && openBrackets(part) < 0)
      whole[whole.length - 1] = `${last}${isUnspaced(last) ? '' : ' '}${part}`;
    else whole.push(part);
  }
  return whole;
}

const openBrackets = (text: string): number => text.split(/[(\uff08]/).length - text.split(/[)\uff09]/).length;
