import { CELL_SEPARATOR } from '../extraction/table-rows.ts';
import type { Block } from '../page-content.ts';

/**
 * White space marks the kinds of blocks in a passage's text. Lines of code begin with a tab, lines of lists with two
 * spaces for each level. The row that names the columns of a table ends with a colon. Snippets and terms ignore white
 * space.
 */

const CODE = '\t';
const LIST = '  ';
const HEAD_END = ':';
const MIN_ROWS = 2;
/** Blocks are separated by blank lines. */
const BETWEEN_BLOCKS = /\n{2,}/g;
/** Several blank lines, which are reduced to one. */
const BLANK_LINES = /\n{3,}/g;

/** Returns the row that names the columns of a table, as a passage writes it. */
export function columnsOf(block: Block): string | undefined {
  const line = block.kind === 'table' && block.head !== undefined ? block.text.split('\n')[block.head] : undefined;
  return line === undefined ? undefined : line.replace(/:$/, '') + HEAD_END;
}

/** Returns a piece of a block as a passage writes it. */
export function written(piece: string, { kind }: Block, columns: string | undefined): string {
  if (kind === 'code') return eachLine(piece.replace(BLANK_LINES, '\n\n'), CODE);
  if (kind === 'list') return eachLine(piece.replace(BETWEEN_BLOCKS, '\n'), LIST);
  if (columns === undefined) return piece;
  const lines = piece.split('\n');
  const head = lines.findIndex((line) => line.replace(/:$/, '') + HEAD_END === columns);
  return head < 0 ? piece : lines.with(head, columns).join('\n');
}

/** Returns the piece without the spaces that mark the level of a list's line. */
export const plainPiece = (piece: string, { kind }: Block): string =>
  kind === 'list' ? piece.replace(/^ +/gm, '') : piece;

const eachLine = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => mark + line)
    .join('\n');

/** A block of a passage. The lines of a list keep two spaces for each level below the first. */
export type PassageBlock =
  | { readonly kind: 'text' | 'list' | 'code'; readonly lines: readonly string[] }
  | {
      readonly kind: 'table';
      /** The line of a caption. */
      readonly above: readonly string[];
      /** The names of the columns, if the table has any. */
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** Returns the blocks of a passage. A passage indexed before extraction version 15 has only texts and tables. */
export const passageBlocks = (text: string): readonly PassageBlock[] =>
  text
    .split(BETWEEN_BLOCKS)
    .map((block) => block.split('\n').filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
    .map(readBlock);

function readBlock(lines: readonly string[]): PassageBlock {
  if (lines.every((line) => line.startsWith(CODE))) return { kind: 'code', lines: lines.map((line) => line.slice(1)) };
  if (lines.every((line) => line.startsWith(LIST)))
    return { kind: 'list', lines: lines.map((line) => line.slice(LIST.length)) };
  const first = lines.findIndex((line) => line.includes(CELL_SEPARATOR));
  const rows = lines.filter((line) => line.includes(CELL_SEPARATOR)).length;
  if (rows < Math.max(MIN_ROWS, lines.length / 2)) return { kind: 'text', lines };
  const isHeaded = lines[first]?.endsWith(HEAD_END) && first < lines.length - 1;
  const cellsOf = (line: string): readonly string[] => line.split(CELL_SEPARATOR).map((cell) => cell.trim());
  return {
    kind: 'table',
    above: lines.slice(0, first),
    columns: isHeaded ? cellsOf(lines[first]?.slice(0, -HEAD_END.length) ?? '') : [],
    rows: lines.slice(isHeaded ? first + 1 : first).map(cellsOf),
  };
}
