import type { PdfLine } from './page-lines.ts';
import type { PdfPage } from './pdf-document.ts';

/** Share of a page's height, at its top and its bottom, that can hold running heads and page numbers. */
const MARGIN = 0.14;
/** Maximum lines at either end of a page that may be a running head. */
const MAX_LINES = 3;
/** Minimum pages on which a running line is repeated; in a shorter document, all but one. */
const MIN_PAGES = 3;
/** Maximum difference in position of a repeated line, in points. */
const PLACE = 4;
const PAGE_WORD = String.raw`(?:(?:page|p\.|pg\.?|seite|página|pagina|strana|стр\.) ?)?`;
const ROMAN = '[ivxlc]{1,7}';
const ROMAN_AT_EDGE = new RegExp(`^${ROMAN} | ${ROMAN}$`, 'i');
const NUMBER = String.raw`(?:\d{1,4}|${ROMAN}|[A-Z]-\d{1,3}|\d{1,2}-\d{1,3})`;
const OF_PAGES = String.raw`(?: ?(?:of|/|von|de|sur|di|van) ?\d{1,4})?`;
const PAGE_NUMBER = new RegExp(String.raw`^${PAGE_WORD}[-–—|(\[]{0,2} ?${NUMBER} ?[-–—|)\]]{0,2}${OF_PAGES}$`, 'i');

type PageWithLines = { readonly page: PdfPage; readonly lines: readonly PdfLine[] };

/**
 * Returns the lines of each page without page numbers and without lines repeated at the top or bottom of pages, unless
 * no other lines remain.
 */
export function withoutRunningLines(pages: readonly PageWithLines[]): readonly (readonly PdfLine[])[] {
  const edges = pages.map(edgeLines);
  const repeats = new Map<string, number>();
  for (const lines of edges)
    for (const key of new Set([...lines.values()].flat())) repeats.set(key, (repeats.get(key) ?? 0) + 1);
  const numbered = new Set(edges.flatMap((lines) => outermostOf([...lines.keys()]).filter(isNumbered)));
  const isNumberedOften = numbered.size >= Math.max(MIN_PAGES, pages.length / 2);
  const most = Math.max(2, Math.min(MIN_PAGES, pages.length - 1));
  const kept = pages.map(({ lines }, index) => {
    const atEdge = edges[index];
    return lines.filter((line) => {
      const keys = atEdge?.get(line);
      if (!keys) return true;
      if (PAGE_NUMBER.test(line.text) || (isNumberedOften && numbered.has(line))) return false;
      return !keys.some((key) => (repeats.get(key) ?? 0) >= most);
    });
  });
  return kept.some((lines) => lines.length > 0) ? kept : pages.map(({ lines }) => lines);
}

/**
 * Returns the first and last lines of a page that are near its edges, each with keys that it shares with equal lines of
 * other pages.
 */
function edgeLines({ page: { height }, lines }: PageWithLines): ReadonlyMap<PdfLine, readonly string[]> {
  const sorted = lines.toSorted((a, b) => a.y - b.y);
  const top = sorted.slice(0, MAX_LINES).filter(({ y }) => y < MARGIN * height);
  const bottom = sorted.slice(-MAX_LINES).filter(({ y }) => y > (1 - MARGIN) * height);
  return new Map([...top, ...bottom].map((line) => [line, keysOf(line)]));
}

/** Returns the first and the last of the lines at the edges of a page. */
function outermostOf(lines: readonly PdfLine[]): readonly PdfLine[] {
  const sorted = lines.toSorted((a, b) => a.y - b.y);
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}

/** Returns whether a line has a page number at one side of the page and a text at the other. */
const isNumbered = ({ cells }: PdfLine): boolean =>
  cells.length > 1 && [cells[0], cells.at(-1)].some((cell = '') => PAGE_NUMBER.test(cell));

/**
 * Returns keys of a line without its numbers, which may be page or chapter numbers. Its position is rounded down and
 * up.
 */
function keysOf({ text, y }: PdfLine): readonly string[] {
  const words = text.replace(/\d+/g, '#').replace(ROMAN_AT_EDGE, '#').toLowerCase();
  return [Math.floor(y / PLACE), Math.floor(y / PLACE + 0.5)].map((place, i) => `${i} ${place} ${words}`);
}
