import { oneLine } from '../metadata/page-head.ts';
import type { Block } from '../page-content.ts';
import { LineJoiner } from './joined-lines.ts';
import { type PdfLine, pageLines } from './page-lines.ts';
import { isListItem, type Paragraph, paragraphsOf, withoutLeaders } from './paragraphs.ts';
import type { PdfBookmark, PdfDocument } from './pdf-document.ts';
import { withoutRunningLines } from './running-lines.ts';

type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** Minimum ratio of a heading's letter size to that of most text. */
const HEADING_SIZE = 1.15;
const MAX_HEADING_LENGTH = 200;
const MAX_LEVELS = 4;
/** The level of a heading that differs from the text only by its font, and its maximum length in characters. */
const [FONT_LEVEL, MAX_LABEL_LENGTH] = [5, 80] as const;
/** Maximum share of the text that headings of one size can have. */
const HEADINGS_SHARE = 0.15;

/** Returns the text of a document in reading order, each block with its page. */
export function pdfBlocks({ pages, outline }: Pick<PdfDocument, 'pages' | 'outline'>): readonly Block[] {
  const lines = withoutRunningLines(pages.map((page) => ({ page, lines: pageLines(page) })));
  const joiner = new LineJoiner(lines.flatMap((page) => page.map(({ text }) => text)));
  const headings = new Headings(lines.flat(), outline);
  return joinedLists(
    paragraphsOf(lines).flatMap((paragraph): readonly Block[] => {
      const text = textOf(paragraph, joiner);
      const { page } = paragraph;
      if (text === '') return [];
      const level = headings.levelOf(paragraph, text);
      if (level !== undefined) return [{ kind: 'heading', level, text: text.replaceAll('\n', ' '), page }];
      return [{ kind: paragraph.kind === 'text' && isListItem(text) ? 'list' : paragraph.kind, text, page }];
    }),
  );
}

function textOf({ kind, lines }: Paragraph, joiner: LineJoiner): string {
  if (kind === 'code') return codeOf(lines);
  if (kind === 'list') return lines.map(({ text }) => oneLine(withoutLeaders(text))).join('\n');
  if (kind === 'table') return lines.map(({ cells }) => cells.map(oneLine).join(' | ')).join('\n');
  return oneLine(withoutLeaders(joiner.join(lines.map(({ text }) => text))));
}

/** Returns the lines as code. The width of a letter gives the indents. */
function codeOf(lines: readonly PdfLine[]): string {
  const left = Math.min(...lines.map(({ x }) => x));
  const rows = lines.map(({ text, x, right }) => {
    const letter = (right - x) / Math.max(1, text.length);
    return ' '.repeat(Math.min(40, letter > 0 ? Math.round((x - left) / letter) : 0)) + text;
  });
  return rows.join('\n').trimEnd();
}

/** Joins adjacent items to one list. */
function joinedLists(blocks: readonly Block[]): readonly Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.kind === 'list' && last?.kind === 'list' && last.page === block.page)
      joined[joined.length - 1] = { ...last, text: `${last.text}\n${block.text}` };
    else joined.push(block);
  }
  return joined;
}

/** Finds the paragraphs that are headings, by the document's outline, the size of letters, and their font. */
class Headings {
  readonly #outline = new Map<string, number>();
  /** Sizes above that of most text that little text has, the largest first. */
  readonly #sizes: readonly number[];
  readonly #bodyFont: string | undefined;

  constructor(lines: readonly PdfLine[], outline: readonly PdfBookmark[]) {
    for (const { title, level } of outline)
      if (!this.#outline.has(plain(title))) this.#outline.set(plain(title), level);
    const prose = lines.filter(({ isMonospaced }) => !isMonospaced);
    const sizes = charactersBy(prose, ({ size }) => rounded(size));
    const body = mostFrequent(sizes) ?? 0;
    const all = prose.reduce((sum, { text }) => sum + text.length, 0);
    this.#sizes = [...sizes]
      .filter(([size, characters]) => size >= HEADING_SIZE * body && characters <= HEADINGS_SHARE * all)
      .map(([size]) => size)
      .sort((a, b) => b - a);
    const inOneFont = prose.filter(({ font }) => font !== undefined);
    this.#bodyFont = mostFrequent(charactersBy(inOneFont, ({ font }) => font));
  }

  levelOf({ kind, lines }: Paragraph, text: string): HeadingLevel | undefined {
    if (kind === 'code' || kind === 'list' || text.length > MAX_HEADING_LENGTH || !/\p{L}/u.test(text))
      return undefined;
    const known = this.#outline.get(plain(text));
    if (known !== undefined) return Math.min(known, 6) as HeadingLevel;
    if (kind === 'table' || /[.,;]$/.test(text) || isListItem(text)) return undefined;
    const rank = this.#sizes.indexOf(rounded(Math.max(...lines.map(({ size }) => size))));
    if (rank >= 0) return (Math.min(rank, MAX_LEVELS - 1) + 1) as HeadingLevel;
    return this.#isSetApart(lines, text) ? FONT_LEVEL : undefined;
  }

  /** Returns whether a paragraph is a short line in a different font. */
  #isSetApart([line, ...more]: readonly PdfLine[], text: string): boolean {
    if (line === undefined || more.length > 0 || text.length > MAX_LABEL_LENGTH || !/^[\p{Lu}\d]/u.test(text))
      return false;
    return line.font !== undefined && line.font !== this.#bodyFont;
  }
}

function charactersBy<Key>(lines: readonly PdfLine[], keyOf: (line: PdfLine) => Key): ReadonlyMap<Key, number> {
  const characters = new Map<Key, number>();
  for (const line of lines) characters.set(keyOf(line), (characters.get(keyOf(line)) ?? 0) + line.text.length);
  return characters;
}

const mostFrequent = <Key>(characters: ReadonlyMap<Key, number>): Key | undefined =>
  [...characters].reduce<readonly [Key | undefined, number]>(
    (most, entry) => (entry[1] > most[1] ? entry : most),
    [undefined, 0],
  )[0];

const rounded = (size: number): number => Math.round(2 * size) / 2;

/**
 * Reduces a title to lower-case letters and digits, without its leading number: often only the outline, or only the
 * text, has the number of a chapter.
 */
const plain = (title: string): string =>
  title
    .toLowerCase()
    .replace(
      /^\W{0,3}(?:(?:chapter|part|section|appendix|kapitel|teil)\s+)?(?:\d{1,3}|[a-z](?=[.\s]))(?:\.\d{1,3})*[.:)]?\s+/,
      '',
    )
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
