import type { Block } from '../page-content.ts';
import { ChunkBoundaries, MAX_TOKENS } from './chunk-boundaries.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { MAX_CHUNKS, splitPage } from './split-page.ts';

/** A passage that is searched and quoted as one. */
export type Chunk = {
  readonly ord: number;
  /** The headings above all of it, outermost first, without the page's title; deeper ones stand in the text. */
  readonly headings: readonly string[];
  readonly text: string;
  /** How much of the text stands in links, 0 to 1 in hundredths. */
  readonly linkShare: number;
};

/**
 * Splits a page into at most 1,000 chunks of about 200 to 400 tokens and at most about 4,000 characters. A pure function of the
 * blocks. Boundaries depend on the text around them, so a small edit changes one or two chunks in at least 98 % of cases.
 */
export function chunkPage(blocks: readonly Block[]): readonly Chunk[] {
  const units = segmentsOf(blocks, MAX_CHUNKS * MAX_TOKENS);
  const ranges = splitPage(new ChunkBoundaries(units)).slice(0, MAX_CHUNKS);
  return ranges.map(({ from, to }, ord) => ({ ord, ...joinUnits(units.slice(from, to)) }));
}

function joinUnits(units: readonly Segment[]): Pick<Chunk, 'headings' | 'text' | 'linkShare'> {
  const headings = commonPath(units);
  let text = '';
  let above = headings;
  for (const { path, text: own, glue } of units) {
    const shared = sharedLength(above, path);
    const titles = path.slice(shared);
    const part = [...titles, own].filter((line) => line !== '').join('\n\n');
    text += text === '' || part === '' ? part : (titles.length > 0 ? '\n\n' : glue) + part;
    above = path;
  }
  if (text === '') return { headings: headings.slice(0, -1), text: headings.at(-1) ?? '', linkShare: 0 };
  const linked = units.reduce((sum, unit) => sum + unit.linked, 0);
  return { headings, text, linkShare: Math.min(1, Math.round((100 * linked) / text.length) / 100) };
}

function commonPath(units: readonly Segment[]): readonly string[] {
  let common = units[0]?.path ?? [];
  for (const { path } of units) common = common.slice(0, sharedLength(common, path));
  return common;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
