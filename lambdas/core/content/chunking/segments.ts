import type { Block } from '../page-content.ts';
import { blockPieces } from './block-pieces.ts';
import { countTokens } from './count-tokens.ts';

/** What no chunk tears: a paragraph, a table, a code sample, or a piece of a long one. */
export type Segment = {
  readonly text: string;
  /** How many characters of the text stand in links. */
  readonly linked: number;
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** Its own, and those of the headings right above it. */
  readonly tokens: number;
  /** What stands between it and the unit before. */
  readonly glue: string;
  /** How well a chunk may begin here, 1 best: the level of the heading that it follows, 7 for a new block, 8 inside a block. */
  readonly rank: number;
};

/** A longer heading is read as text. */
const MAX_HEADING = 200;
/** Ranks above are those of heading levels. */
export const BLOCK_RANK = 7;
const INNER_RANK = 8;

/** The blocks as units in order, up to about so many tokens; a heading without text below it becomes a unit with empty text. */
export function segmentsOf(blocks: readonly Block[], maxTokens: number): readonly Segment[] {
  const reader = new UnitReader(maxTokens);
  for (const block of blocks) {
    if (reader.isFull) break;
    if (block.kind === 'heading' && block.text.length <= MAX_HEADING) reader.addHeading(block.level, block.text);
    else reader.addBody(block);
  }
  return reader.finish();
}

class UnitReader {
  readonly #units: Segment[] = [];
  #open: readonly { readonly level: number; readonly text: string }[] = [];
  #path: readonly string[] = [];
  /** True from a heading on until a text below it. */
  #isBare = false;
  #headingTokens = 0;
  #rank = BLOCK_RANK;
  #room: number;

  constructor(maxTokens: number) {
    this.#room = maxTokens;
  }

  get isFull(): boolean {
    return this.#room < 0;
  }

  addHeading(level: number, text: string): void {
    const last = this.#open.at(-1);
    if (this.#isBare && last !== undefined && last.level >= level) this.#push('', 0, '\n\n', this.#rank);
    this.#open = [...this.#open.filter((heading) => heading.level < level), { level, text }];
    this.#path = this.#open.map((heading) => heading.text);
    this.#isBare = true;
    this.#headingTokens += countTokens(text);
    this.#rank = Math.min(this.#rank, level);
  }

  addBody(block: Block): void {
    let isFirst = true;
    const linkShare = block.kind === 'heading' ? 0 : (block.linked ?? 0) / Math.max(1, block.text.length);
    for (const { text, glue } of blockPieces(block)) {
      if (this.isFull) return;
      this.#push(text, linkShare * text.length, isFirst ? '\n\n' : glue, isFirst ? this.#rank : INNER_RANK);
      isFirst = false;
    }
  }

  finish(): readonly Segment[] {
    if (this.#isBare) this.#push('', 0, '\n\n', this.#rank);
    return this.#units;
  }

  #push(text: string, linked: number, glue: string, rank: number): void {
    const tokens = this.#headingTokens + (text === '' ? 0 : countTokens(text));
    this.#units.push({ text, linked, path: this.#path, tokens, glue, rank });
    this.#room -= tokens;
    this.#isBare = false;
    this.#headingTokens = 0;
    this.#rank = BLOCK_RANK;
  }
}
