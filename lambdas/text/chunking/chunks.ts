import type { Block } from '../page-content.ts';
import { ChunkBoundaries, splitPage } from './chunk-boundaries.ts';
import { MAX_TOKENS } from './count-tokens.ts';
import { type ChunkPart, type Heading, segmentsOf } from './segments.ts';

/** Maximum number of chunks of a page. The rest of a longer page is not searched. */
export const MAX_CHUNKS = 1_000;

/** A passage that is searched and quoted as one. */
export type Chunk = {
  readonly ord: number;
  /** The headings above all of it, outermost first, without the page's title. Deeper headings are part of the text. */
  readonly headings: readonly string[];
  /** The text. Its white space marks lists and code (`passageBlocks`). */
  readonly text: string;
  /** More text of the passage, which is searched but never shown. */
  readonly searchOnlyText?: string;
  /** The starts of the parts of the text whose heading has an anchor, or that begin on another PDF page, in order. */
  readonly sections: readonly ChunkSection[];
  /** The share of the text that is inside links, 0 to 1 in hundredths. */
  readonly linkShare: number;
};

/** `line` counts the text's lines from 0, without empty ones. */
export type ChunkSection = { readonly line: number; readonly heading: string; readonly anchor: string };

/** Makes at most 1,000 chunks of 200 to 400 tokens. At least 98 % of small edits change only one or two chunks. */
export function chunkPage(blocks: readonly Block[]): readonly Chunk[] {
  const segments = segmentsOf(blocks, MAX_CHUNKS * MAX_TOKENS);
  const ranges = splitPage(new ChunkBoundaries(segments)).slice(0, MAX_CHUNKS);
  return ranges.map(({ from, to }, ord) => ({ ord, ...joinSegments(segments.slice(from, to)) }));
}

function joinSegments(segments: readonly ChunkPart[]): Omit<Chunk, 'ord'> {
  const path = commonPath(segments);
  const headings = path.map((heading) => heading.text);
  const sections: ChunkSection[] = [];
  let text = '';
  let marks = 0;
  let line = 0;
  let above = path;
  for (const segment of segments) {
    const { path: own, separator } = segment;
    const body = shownText(segment, text === '');
    marks += body.length - (segment.isSearchOnly ? 0 : segment.text.length);
    const section = sectionOf(segment, line);
    if (section && section.anchor !== sections.at(-1)?.anchor) sections.push(section);
    const newHeadings = own.slice(sharedLength(above, own)).map((heading) => heading.text);
    const part = [...newHeadings, body].filter((each) => each !== '').join('\n\n');
    text += text === '' || part === '' ? part : (newHeadings.length > 0 ? '\n\n' : separator) + part;
    line += linesOf(part);
    above = own;
  }
  const searchOnlyText = segments.flatMap((segment) => (segment.isSearchOnly ? segment.text : [])).join('\n');
  const searchOnly = searchOnlyText === '' ? {} : { searchOnlyText };
  if (text === '')
    return { headings: headings.slice(0, -1), text: headings.at(-1) ?? '', ...searchOnly, sections, linkShare: 0 };
  const linked = segments.reduce((sum, segment) => sum + segment.linked, 0);
  return {
    headings,
    text,
    ...searchOnly,
    sections,
    linkShare: Math.min(1, Math.round((100 * linked) / (text.length - marks)) / 100),
  };
}

const shownText = ({ written, head = '', isSearchOnly }: ChunkPart, isFirst: boolean): string =>
  isSearchOnly ? '' : (isFirst ? head : '') + written;

/** Counts the lines that are not empty. */
function linesOf(text: string): number {
  if (!text.includes('\n')) return text.trim() === '' ? 0 : 1;
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** Returns the section of a part: a PDF's page under its nearest heading, else the nearest heading with an anchor. */
function sectionOf({ path, page }: ChunkPart, line: number): ChunkSection | undefined {
  if (page !== undefined) return { line, heading: path.at(-1)?.text ?? `Page ${page}`, anchor: `page=${page}` };
  const heading = path.findLast(({ anchor }) => anchor !== undefined);
  return heading?.anchor === undefined ? undefined : { line, heading: heading.text, anchor: heading.anchor };
}

function commonPath(segments: readonly ChunkPart[]): readonly Heading[] {
  let common = segments[0]?.path ?? [];
  for (const { path } of segments) common = common.slice(0, sharedLength(common, path));
  return common;
}

function sharedLength(a: readonly Heading[], b: readonly Heading[]): number {
  let length = 0;
  while (length < a.length && a[length]?.text === b[length]?.text) length++;
  return length;
}
