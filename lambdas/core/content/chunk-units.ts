import type { Block } from './page-content.ts';

/** A piece that no chunk tears: a paragraph, a table, a code sample, or a line or sentence of a long one. */
export type ChunkUnit = {
  readonly text: string;
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** Its own, and those of the headings right above it. */
  readonly tokens: number;
  /** What stands between it and the unit before. */
  readonly glue: string;
  /** How well a chunk may begin here, 1 best: the level of the heading that it follows, 7 for a new block, 8 inside a block. */
  readonly rank: number;
};

/** A longer text or list is given in sentences or lines, so that chunks can end inside it. */
const LONG_BLOCK = 200;
/** A longer table or code sample does not fit into one chunk. */
const LONG_TABLE = 400;
const MAX_HEADING = 200;
/** A line or sentence is cut into pieces of at most so many characters, at spaces where it has some. */
const MAX_PIECE = 1_500;
/** Ranks above are those of heading levels. */
export const BLOCK_RANK = 7;
const INNER_RANK = 8;

const TOKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}\p{M}]{1,12}/gu;
const PIECE = new RegExp(`[^]{1,${MAX_PIECE}}(?=\\s|$)|[^]{1,${MAX_PIECE}}`, 'gu');

/** Word-like tokens of a text: long words count several times, scripts without spaces by letter; at least 1. */
export function countTokens(text: string): number {
  return Math.max(1, text.match(TOKEN)?.length ?? 0);
}

/** The blocks as units in order; a heading without text below it becomes a unit with empty text. */
export function chunkUnits(blocks: readonly Block[]): readonly ChunkUnit[] {
  const reader = new UnitReader();
  for (const block of blocks) {
    if (block.kind === 'heading' && block.text.length <= MAX_HEADING) reader.addHeading(block.level, block.text);
    else reader.addBody(block);
  }
  return reader.finish();
}

class UnitReader {
  readonly #units: ChunkUnit[] = [];
  #open: readonly { readonly level: number; readonly text: string }[] = [];
  #path: readonly string[] = [];
  /** True from a heading on until a text below it. */
  #isBare = false;
  #headingTokens = 0;
  #rank = BLOCK_RANK;

  addHeading(level: number, text: string): void {
    const last = this.#open.at(-1);
    if (this.#isBare && last !== undefined && last.level >= level) this.#push('', '\n\n', this.#rank);
    this.#open = [...this.#open.filter((heading) => heading.level < level), { level, text }];
    this.#path = this.#open.map((heading) => heading.text);
    this.#isBare = true;
    this.#headingTokens += countTokens(text);
    this.#rank = Math.min(this.#rank, level);
  }

  addBody(block: Block): void {
    for (const [index, text] of pieces(block).entries()) {
      if (index === 0) this.#push(text, '\n\n', this.#rank);
      else this.#push(text, block.kind === 'text' ? ' ' : '\n', INNER_RANK);
    }
  }

  finish(): readonly ChunkUnit[] {
    if (this.#isBare) this.#push('', '\n\n', this.#rank);
    return this.#units;
  }

  #push(text: string, glue: string, rank: number): void {
    const tokens = this.#headingTokens + (text === '' ? 0 : countTokens(text));
    this.#units.push({ text, path: this.#path, tokens, glue, rank });
    this.#isBare = false;
    this.#headingTokens = 0;
    this.#rank = BLOCK_RANK;
  }
}

function pieces({ kind, text }: Block): readonly string[] {
  const limit = kind === 'table' || kind === 'code' ? LONG_TABLE : LONG_BLOCK;
  if (text.length <= limit || countTokens(text) <= limit) return [text];
  const parts = kind === 'text' ? text.split(/(?<=[.!?][)"'”’]?)\s|(?<=[。！？])/u) : text.split('\n');
  const short = parts.flatMap((part) => part.match(PIECE) ?? []).filter((part) => part.trim() !== '');
  return kind === 'text' ? short.map((part) => part.trim()) : short;
}
