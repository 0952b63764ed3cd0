import { int8s, int16s } from './arrays.ts';
import { DELETED } from './id-remapping.ts';
import { strideOf } from './int8-scan.ts';
import type { Sections } from './segment-format.ts';
import { vectorSections } from './vector-writer.ts';
import { type Group, vectorGroups } from './vectors.ts';

type Source = {
  readonly sections: Sections;
  /** The number of each chunk in the merged segment, or `DELETED`. */
  readonly chunks: Uint32Array;
};

/** Merges vectors. Equal groups of several segments become one, in the order of their chunks. */
export function mergedVectors(sources: readonly Source[]) {
  const groups = sources
    .flatMap(({ sections, chunks }) => vectorGroups(sections).map((group) => renumbered(group, chunks)))
    .filter(({ chunks }) => chunks.length > 0)
    .sort((a, b) => firstChunkOf(a) - firstChunkOf(b));
  const byBlock = Map.groupBy(groups, ({ kind, start, width, dimensions }) => `${[kind, start, width, dimensions]}`);
  const alike = [...byBlock.values()];
  return vectorSections(alike.flatMap(headerOf), alike.flat());
}

const firstChunkOf = ({ chunks }: Group): number => chunks[0] ?? 0;

function headerOf(alike: readonly Group[]): readonly number[] {
  const { kind = 0, start = 0, width = 0, dimensions = 0 } = alike[0] ?? {};
  return [kind, start, width, dimensions, alike.reduce((sum, { chunks }) => sum + chunks.length, 0)];
}

/** Returns the group with the chunk numbers of the merged segment. */
function renumbered(group: Group, numbers: Uint32Array): Group {
  const all = group.chunks.map((chunk) => numbers[chunk] as number);
  const chunks = all.filter((number) => number !== DELETED);
  if (chunks.length === all.length) return { ...group, chunks };
  const [stride, { width }] = [strideOf(group.width), group];
  const scales = group.scales.filter((_, row) => all[row] !== DELETED);
  const [rows8, rows16] = [int8s(chunks.length * stride), int16s(chunks.length * width)];
  let kept = 0;
  for (let row = 0; row < all.length; row++) {
    if (all[row] === DELETED) continue;
    rows8.set(group.rows8.subarray(row * stride, (row + 1) * stride), kept * stride);
    rows16.set(group.rows16.subarray(row * width, (row + 1) * width), kept * width);
    kept++;
  }
  return { ...group, chunks, scales, rows8, rows16 };
}
