import type { PdfLine } from './page-lines.ts';

/** Lines that belong together, on the page where they begin. */
export type Paragraph = {
  readonly kind: 'text' | 'list' | 'code' | 'table';
  readonly lines: readonly PdfLine[];
  readonly page: number;
};

/** A paragraph ends where the distance to the next line is larger than its own by this factor. */
const LARGE_DISTANCE = 1.3;
/**
 * The minimum and maximum distance of lines, the indent of a first line, and the difference between two sizes, as
 * shares of the letters' size.
 */
const [CLOSE, WIDE, INDENT, SIZE_DIFFERENCE] = [1.2, 2.2, 0.8, 0.12];
const LIST_ITEM = /^(?:[•●▪■◦‣∙·*–—-]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S/u;
/** A table has at least this many rows. */
const MIN_ROWS = 2;
const ENDS_SENTENCE = /[.!?:;。！？]["'”’»)\]]{0,2}$/;
/** The dots before a page number. The pattern starts from the number, so that a line of dots takes linear time. */
const LEADERS = /(?=[\divxlc]{1,7}$)(?<=((?:\s{0,3}[.…·_]){4,}\s*|(?:\s[.…·]){2,}\s*))/;

/**
 * Returns the paragraphs of all pages. A paragraph that continues on the next page or in the next column stays whole.
 */
export function paragraphsOf(pages: readonly (readonly PdfLine[])[]): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const [index, lines] of pages.entries()) {
    for (const paragraph of pageParagraphs(lines, index + 1)) {
      const last = paragraphs.at(-1);
      if (last && continues(last, paragraph)) {
        paragraphs[paragraphs.length - 1] = { ...last, lines: [...last.lines, ...paragraph.lines] };
      } else paragraphs.push(paragraph);
    }
  }
  return paragraphs;
}

/** Returns an entry of a table of contents without the dots before its page number. */
export function withoutLeaders(text: string): string {
  const found = LEADERS.exec(text);
  if (!found) return text.trim();
  const [, leaders = ''] = found;
  return `${text.slice(0, found.index - leaders.length)} ${text.slice(found.index)}`.trim();
}

function continues(before: Paragraph, { kind, lines }: Paragraph): boolean {
  const [end, start] = [before.lines.at(-1), lines[0]];
  if (before.kind !== 'text' || kind !== 'text' || !end || !start) return false;
  if (!isSameSize(end, start) || ENDS_SENTENCE.test(end.text)) return false;
  return /^\p{Ll}/u.test(start.text) || /[-\u2010\u00AD]$/.test(end.text);
}

const isSameSize = (a: PdfLine, b: PdfLine): boolean =>
  Math.abs(a.size - b.size) <= SIZE_DIFFERENCE * Math.max(a.size, b.size);

function pageParagraphs(lines: readonly PdfLine[], page: number): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: PdfLine[] = [];
  let kind: Paragraph['kind'] = 'text';
  const end = () => {
    if (open.length > 0)
      paragraphs.push({ kind: kind === 'table' && open.length < MIN_ROWS ? 'text' : kind, lines: open, page });
    open = [];
  };
  const distance = usualDistance(lines);
  for (const line of lines) {
    const next = kindOf(line);
    const last = open.at(-1);
    if (last && (next !== kind || beginsParagraph(line, last, open, kind, distance))) end();
    if (open.length === 0) kind = next;
    open.push(line);
  }
  end();
  return paragraphs;
}

function kindOf(line: PdfLine): Paragraph['kind'] {
  if (withoutLeaders(line.text) !== line.text) return 'list';
  if (line.isMonospaced) return 'code';
  return line.cells.length > 1 ? 'table' : 'text';
}

function beginsParagraph(
  line: PdfLine,
  last: PdfLine,
  open: readonly PdfLine[],
  kind: Paragraph['kind'],
  distance: number,
): boolean {
  const step = line.y - last.y;
  if (step <= 0 || !isSameSize(line, last) || hasOtherFont(line, last)) return true;
  if (step > LARGE_DISTANCE * Math.min(Math.max(distance, CLOSE * line.size), WIDE * line.size)) return true;
  if (kind !== 'text') return false;
  if (LIST_ITEM.test(line.text)) return true;
  const left = Math.min(
    ...open.slice(open.length > 1 && !LIST_ITEM.test(open[0]?.text ?? '') ? 1 : 0).map(({ x }) => x),
  );
  const isIndented = line.x > left + INDENT * line.size;
  return isIndented && !LIST_ITEM.test(open[0]?.text ?? '') && open.length > 1;
}

/** Returns whether two lines have one font each, and different ones. */
const hasOtherFont = (a: PdfLine, b: PdfLine): boolean =>
  a.font !== undefined && b.font !== undefined && a.font !== b.font;

/** Returns the most frequent distance of two lines, in half points. */
function usualDistance(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  let usual = 0;
  for (const [i, { y }] of lines.entries()) {
    const step = Math.round(2 * (y - (lines[i - 1]?.y ?? y))) / 2;
    if (step <= 0) continue;
    counts.set(step, (counts.get(step) ?? 0) + 1);
    if ((counts.get(step) ?? 0) > (counts.get(usual) ?? 0)) usual = step;
  }
  return usual;
}

export const isListItem = (text: string): boolean => LIST_ITEM.test(text);
