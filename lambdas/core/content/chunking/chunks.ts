import type { Block } from '../page-content.ts';
import { CutPlaces, MAX_TOKENS } from './chunk-boundaries.ts';
import { Fingerprints, unchangedChunks } from './chunk-reuse.ts';
import { type ChunkUnit, chunkUnits } from './segments.ts';
import { cutEditedPage, cutPage, MAX_CHUNKS } from './split-page.ts';

/** A passage that is searched and quoted as one. */
export type Chunk = {
  readonly ord: number;
  /** The headings above all of it, outermost first, without the page's title; deeper ones stand in the text. */
  readonly headings: readonly string[];
  readonly text: string;
  /** How much of the text stands in links, 0 to 1 in hundredths. */
  readonly linkShare: number;
  /** A hash of 32 bits by which the same chunk is found again in another version of the page. */
  readonly fingerprint: number;
};

/**
 * Cuts a page into passages of about 200 to 400 tokens where the text allows, of about 4,000 characters at most, and at most
 * 1,000 of them. `earlier` are the fingerprints of the chunks that the page had, in order: what is still there of them stays as
 * it is, so that a new paragraph of up to 200 tokens, with the headings right above it, changes two chunks at most, and the same page is cut
 * the same again.
 */
export function chunkPage(blocks: readonly Block[], earlier: readonly number[] = []): readonly Chunk[] {
  const units = chunkUnits(blocks, MAX_CHUNKS * MAX_TOKENS);
  const fingerprints = new Fingerprints(units);
  const places = new CutPlaces(units);
  const ranges =
    earlier.length === 0 ? cutPage(places) : cutEditedPage(places, unchangedChunks(earlier, fingerprints, places));
  return ranges.slice(0, MAX_CHUNKS).map((range, ord) => ({
    ord,
    ...joinUnits(units.slice(range.from, range.to)),
    fingerprint: fingerprints.of(range),
  }));
}

function joinUnits(units: readonly ChunkUnit[]): Pick<Chunk, 'headings' | 'text' | 'linkShare'> {
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

function commonPath(units: readonly ChunkUnit[]): readonly string[] {
  let common = units[0]?.path ?? [];
  for (const { path } of units) common = common.slice(0, sharedLength(common, path));
  return common;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
