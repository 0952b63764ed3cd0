import { isName } from '../../language/labels.ts';
import type { Block } from '../page-content.ts';
import { countTokens, TOKEN_LENGTH } from './count-tokens.ts';

/** A part of a block that no chunk tears, not empty, and what stands between it and the part before. */
export type BlockPiece = { readonly text: string; readonly glue: string };

/** A longer text or list is given in sentences or lines, so that chunks can end inside it. */
const LONG_BLOCK = 200;
/** A longer table or code sample does not fit into one chunk; neither does a longer sentence or line. */
const LONG_PIECE = 400;
/** So many names may share one definition, as the spellings of an option. */
const MOST_NAMES = 3;
/** Each pattern takes the whole of any text; a sentence or line of more than 1,500 characters ends at a blank where it has one. */
const SENTENCES = /.{1,1500}?(?:(?<=[.!?][)"'”’]?)(?=\s)|(?<=[。！？])|$)|.{1,1500}(?=\s)|.{1,1500}/gsu;
const LINES = /\n+|[^\n]{1,1500}(?=\s|$)|[^\n]{1,1500}/gu;
const SHORT_PARTS = /.{1,400}(?=\s|$)|.{1,400}/gsu;

/** A block in pieces of at most 400 tokens; together they are all of it, but for white space at their edges. */
export function blockPieces(block: Block): Iterable<BlockPiece> {
  return block.kind === 'list' ? withTheirNames(linesOrSentences(block)) : linesOrSentences(block);
}

/** What a list defines stays with the names that stand above it. */
function* withTheirNames(pieces: Iterable<BlockPiece>): Generator<BlockPiece> {
  let names: BlockPiece[] = [];
  for (const piece of pieces) {
    if (isName(piece.text)) {
      names.push(piece);
      if (names.length > MOST_NAMES) yield* names.splice(0, 1);
      continue;
    }
    yield* joined([...names, piece]);
    names = [];
  }
  yield* names;
}

function joined(pieces: readonly BlockPiece[]): readonly BlockPiece[] {
  const [{ glue } = { glue: '' }] = pieces;
  const text = pieces.map((piece, at) => (at === 0 ? '' : piece.glue) + piece.text).join('');
  return fits(text, LONG_PIECE) ? [{ text, glue }] : pieces;
}

function* linesOrSentences({ kind, text }: Block): Generator<BlockPiece> {
  const isProse = kind === 'text' || kind === 'heading';
  const isWhole = fits(text, kind === 'table' || kind === 'code' ? LONG_PIECE : LONG_BLOCK);
  let gap = '';
  for (const part of isWhole ? [text] : parts(text, isProse ? SENTENCES : LINES)) {
    const kept = part.trimEnd();
    const piece = isProse ? kept.trimStart() : kept;
    if (piece !== '') {
      yield { text: piece, glue: glueOf(gap + kept.slice(0, kept.length - piece.length)) };
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
    if (fits(part, LONG_PIECE)) yield part;
    else for (const [short] of part.matchAll(SHORT_PARTS)) yield short;
  }
}

/** White space cut down to a blank line, a line end or a blank. */
function glueOf(gap: string): string {
  const lineEnds = gap.split('\n', 3).length - 1;
  if (lineEnds > 0) return '\n'.repeat(lineEnds);
  return gap === '' ? '' : ' ';
}
