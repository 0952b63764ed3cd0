import type { Block } from '../page-content.ts';
import { isName } from '../words/labels.ts';
import { countTokens, MAX_TOKENS, TOKEN_LENGTH } from './count-tokens.ts';

/** A non-empty part of a block that is never split, with the white space between it and the part before. */
export type BlockPiece = { readonly text: string; readonly separator: string };

/**
 * Maximum size of an unsplit block, in tokens. A longer text or list is split into sentences or lines, so that a chunk
 * can end inside it.
 */
const LONG_BLOCK = 200;
/** Maximum number of names that share one definition, such as the spellings of an option. */
const MAX_NAMES = 3;
/** Matches cover the whole text. A piece of more than 1,500 characters ends at a space, if it has one. */
const SENTENCES = /.{1,1500}?(?:(?<=[.!?][)"'”’]?)(?=\s)|(?<=[。！？])|$)|.{1,1500}(?=\s)|.{1,1500}/gsu;
const LINES = /\n+|[^\n]{1,1500}(?=\s|$)|[^\n]{1,1500}/gu;
const SHORT_PARTS = /.{1,400}(?=\s|$)|.{1,400}/gsu;

/** Splits a block into pieces of at most 400 tokens. Only white space at their edges is lost. */
export function blockPieces(block: Block): Iterable<BlockPiece> {
  return block.kind === 'list' ? withNames(linesOrSentences(block)) : linesOrSentences(block);
}

function* withNames(pieces: Iterable<BlockPiece>): Generator<BlockPiece> {
  let names: BlockPiece[] = [];
  for (const piece of pieces) {
    if (isName(piece.text)) {
      names.push(piece);
      if (names.length > MAX_NAMES) yield* names.splice(0, 1);
      continue;
    }
    yield* joined([...names, piece]);
    names = [];
  }
  yield* names;
}

function joined(pieces: readonly BlockPiece[]): readonly BlockPiece[] {
  const [{ separator } = { separator: '' }] = pieces;
  const text = pieces.map((piece, i) => (i === 0 ? '' : piece.separator) + piece.text).join('');
  return fits(text, MAX_TOKENS) ? [{ text, separator }] : pieces;
}

function* linesOrSentences({ kind, text }: Block): Generator<BlockPiece> {
  const isProse = kind === 'text' || kind === 'heading';
  const isWhole = fits(text, kind === 'table' || kind === 'code' ? MAX_TOKENS : LONG_BLOCK);
  let gap = '';
  for (const part of isWhole ? [text] : parts(text, isProse ? SENTENCES : LINES)) {
    const kept = part.trimEnd();
    const piece = isProse ? kept.trimStart() : kept;
    if (piece !== '') {
      yield { text: piece, separator: separatorOf(gap + kept.slice(0, kept.length - piece.length)) };
      gap = '';
    }
    gap += part.slice(kept.length);
  }
}

function fits(text: string, tokens: number): boolean {
  return text.length <= tokens || (text.length <= tokens * TOKEN_LENGTH && countTokens(text) <= tokens);
}

function* parts(text: string, pattern: RegExp): Generator<string> {
  for (const [part] of text.matchAll(pattern)) {
    if (fits(part, MAX_TOKENS)) yield part;
    else for (const [short] of part.matchAll(SHORT_PARTS)) yield short;
  }
}

/** Reduces white space to an empty line, a line end or a space. */
function separatorOf(gap: string): string {
  const lineEnds = gap.split('\n', 3).length - 1;
  if (lineEnds > 0) return '\n'.repeat(lineEnds);
  return gap === '' ? '' : ' ';
}
