import type { Block } from '../page-content.ts';
import { ChunkBoundaries } from './chunk-boundaries.ts';
import { MAX_TOKENS } from './count-tokens.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { splitPage } from './split-page.ts';

/** A passage that is searched and quoted as one. */
export type Chunk = {
  readonly ord: number;
  /** The headings above all of it, outermost first, without the page's title. Deeper headings are part of the text. */
  readonly headings: readonly string[];
  readonly text: string;
  /** The share of the text that is inside links, 0 to 1 in hundredths. */
  readonly linkShare: number;
};

const MAX_CHUNKS = 1_000;

/** At most 1,000 chunks of 200 to 400 tokens. At least 98 % of small edits change only one or two chunks. */
export function chunkPage(blocks: readonly Block[]): readonly Chunk[] {
  const segments = segmentsOf(blocks, MAX_CHUNKS * MAX_TOKENS);
  const ranges = splitPage(new ChunkBoundaries(segments)).slice(0, MAX_CHUNKS);
  return ranges.map(({ from, to }, ord) => ({ ord, ...joinSegments(segments.slice(from, to)) }));
}

function joinSegments(segments: readonly Segment[]): Omit<Chunk, 'ord'> {
  const headings = commonPath(segments);
  let text = '';
  let above = headings;
  for (const { path, text: own, separator } of segments) {
    const newHeadings = path.slice(sharedLength(above, path));
    const part = [...newHeadings, own].filter((line) => line !== '').join('\n\n');
    text += text === '' || part === '' ? part : (newHeadings.length > 0 ? '\n\n' : separator) + part;
    above = path;
  }
  if (text === '') return { headings: headings.slice(0, -1), text: headings.at(-1) ?? '', linkShare: 0 };
  const linked = segments.reduce((sum, segment) => sum + segment.linked, 0);
  return { headings, text, linkShare: Math.min(1, Math.round((100 * linked) / text.length) / 100) };
}

function commonPath(segments: readonly Segment[]): readonly string[] {
  let common = segments[0]?.path ?? [];
  for (const { path } of segments) common = common.slice(0, sharedLength(common, path));
  return common;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
