import { defined } from '../defined.ts';
import type { Block } from '../page-content.ts';
import { blockPieces } from './block-pieces.ts';
import { countTokens } from './count-tokens.ts';
import { columnsOf, plainPiece, written } from './passage-blocks.ts';

/** The smallest part of a chunk: a paragraph, a table, a code sample, or a piece of a long one. */
export type ChunkPart = {
  readonly text: string;
  /** The text as a passage writes it. Boundaries do not depend on it. */
  readonly written: string;
  /** The text is searched but never shown. */
  readonly isSearchOnly?: true;
  /** The page of a PDF, from 1. */
  readonly page?: number;
  /** Characters of the text that are inside links. */
  readonly linked: number;
  /** Repeated before a later part of a table or list that begins a chunk: the row of column names, or the lead. */
  readonly head?: string;
  /** Headings above it, outermost first. */
  readonly path: readonly Heading[];
  /** Tokens of the text and of the headings right above it. */
  readonly tokens: number;
  /** The white space between it and the segment before. */
  readonly separator: string;
  /** How well a chunk can begin here: the level of the heading before it, 7 for a new block, 8 inside a block. */
  readonly rank: number;
};

export type Heading = { readonly text: string; readonly anchor: string | undefined };

/** Maximum heading length in characters. A longer one is treated as text. */
const MAX_HEADING = 200;
/** Maximum length, in characters, of a lead or row of column names that is repeated. */
const MAX_HEAD = 300;
/** Rank of a new block. Lower ranks are heading levels. */
export const BLOCK_RANK = 7;
const INNER_RANK = 8;

/**
 * Splits blocks into segments of about `maxTokens` at most. A heading without text below it becomes a segment with
 * empty text.
 */
export function segmentsOf(blocks: readonly Block[], maxTokens: number): readonly ChunkPart[] {
  const reader = new SegmentReader(maxTokens);
  for (const block of blocks) {
    if (reader.isFull) break;
    if (block.kind === 'heading' && block.text.length <= MAX_HEADING) reader.addHeading(block.level, block);
    else reader.addBody(block);
  }
  return reader.finish();
}

class SegmentReader {
  readonly #segments: ChunkPart[] = [];
  #open: readonly (Heading & { readonly level: number })[] = [];
  #path: readonly Heading[] = [];
  #isBare = false;
  #headingTokens = 0;
  #rank = BLOCK_RANK;
  /** The line before the next block, if it announces that block. */
  #lead: string | undefined;
  #room: number;

  constructor(maxTokens: number) {
    this.#room = maxTokens;
  }

  get isFull(): boolean {
    return this.#room < 0;
  }

  addHeading(level: number, { text, anchor }: { readonly text: string; readonly anchor?: string }): void {
    const last = this.#open.at(-1);
    if (this.#isBare && last !== undefined && last.level >= level)
      this.#push({ text: '', written: '', linked: 0, separator: '\n\n', rank: this.#rank });
    this.#open = [...this.#open.filter((heading) => heading.level < level), { level, text, anchor }];
    this.#path = this.#open;
    this.#isBare = true;
    this.#lead = undefined;
    this.#headingTokens += countTokens(text);
    this.#rank = Math.min(this.#rank, level);
  }

  addBody(block: Block): void {
    const columns = columnsOf(block);
    const { linked = 0, isSearchOnly, page } = block.kind === 'heading' ? { page: block.page } : block;
    const linkShare = linked / Math.max(1, plainPiece(block.text, block).length);
    let head = block.kind === 'list' ? this.#lead : undefined;
    let isFirst = true;
    for (const { text: piece, separator } of blockPieces(block)) {
      if (this.isFull) return;
      const shown = written(piece, block, columns);
      const text = plainPiece(piece, block);
      this.#push({
        text,
        written: shown,
        linked: linkShare * text.length,
        ...(isFirst ? { separator: '\n\n', rank: this.#rank } : { separator, rank: INNER_RANK, ...(head && { head }) }),
        ...(isSearchOnly && { isSearchOnly }),
        ...defined({ page }),
      });
      if (shown === columns) head = headOf(columns, '\n');
      isFirst = false;
    }
    this.#lead = block.kind === 'text' && block.text.endsWith(':') ? headOf(lastLine(block.text), '\n\n') : undefined;
  }

  finish(): readonly ChunkPart[] {
    if (this.#isBare) this.#push({ text: '', written: '', linked: 0, separator: '\n\n', rank: this.#rank });
    return this.#segments;
  }

  #push(segment: Omit<ChunkPart, 'path' | 'tokens'>): void {
    const tokens = this.#headingTokens + (segment.text === '' ? 0 : countTokens(segment.text));
    this.#segments.push({ ...segment, path: this.#path, tokens });
    this.#room -= tokens;
    this.#isBare = false;
    this.#headingTokens = 0;
    this.#rank = BLOCK_RANK;
  }
}

const headOf = (line: string, separator: string): string | undefined =>
  line.length <= MAX_HEAD ? line + separator : undefined;

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);
