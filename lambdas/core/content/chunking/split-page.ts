import { type CutPlaces, MAX_TOKENS, MIN_TOKENS, type UnitRange } from './chunk-boundaries.ts';

/** What an edit leaves smaller than this is joined to a neighbour, if it fits. */
const WANTED_TOKENS = 200;
export const MAX_CHUNKS = 1_000;

/**
 * Cuts a new page in two where the highest heading stands, else where a hash of the following text is lowest, and so on; first at places
 * that are better than all around them. So what is near decides, and most of the cuts are found again without being remembered.
 */
export const cutPage = (places: CutPlaces): readonly UnitRange[] =>
  cutRange({ from: 0, to: places.length }, false, places);

/**
 * Cuts a page that has some of its chunks already, in order. As in a B-tree, what lies between them becomes one chunk, is cut in two if it is
 * too long, or joined to a neighbour if it is short.
 */
export function cutEditedPage(places: CutPlaces, unchanged: readonly UnitRange[]): readonly UnitRange[] {
  const parts: UnitRange[] = [];
  const waiting = unchanged.values();
  let next = waiting.next().value;
  // What lies behind the last chunk that a page can have is left out, and not joined to it: the same page is cut the same again.
  for (let from = 0; from < places.length && parts.length < MAX_CHUNKS; from = parts.at(-1)?.to ?? places.length) {
    if (next?.from === from) {
      parts.push(next);
      next = waiting.next().value;
      continue;
    }
    const between = { from, to: next?.from ?? places.length };
    const changed = widened(between, parts.at(-1), next, places);
    if (changed.from < between.from) parts.pop();
    if (changed.to > between.to) next = waiting.next().value;
    parts.push(...cutRange(changed, places.tokens(changed) <= 2 * MAX_TOKENS, places));
  }
  return parts;
}

/**
 * A short range together with a chunk beside it: one with which it fits, or any if it is too short to be left alone. Of two it is the one from
 * which it is parted at the worse place.
 */
function widened(
  range: UnitRange,
  before: UnitRange | undefined,
  after: UnitRange | undefined,
  places: CutPlaces,
): UnitRange {
  const tokens = places.tokens(range);
  if (tokens >= WANTED_TOKENS) return range;
  const wholes = [
    ...(before ? [{ from: before.from, to: range.to }] : []),
    ...(after ? [{ from: range.from, to: after.to }] : []),
  ];
  const fitting = wholes.filter((whole) => places.tokens(whole) <= MAX_TOKENS);
  const [first = range, second = first] = fitting.length > 0 || tokens >= MIN_TOKENS ? fitting : wholes;
  return places.better(range.from, range.to) === range.from ? second : first;
}

/** Cut where it is too long, and so on; `inTwo` if two chunks do. */
function cutRange(range: UnitRange, inTwo: boolean, places: CutPlaces): readonly UnitRange[] {
  const parts: UnitRange[] = [];
  const waiting = [range];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const cut = places.best(part, inTwo);
    if (cut !== undefined) waiting.push({ from: cut, to: part.to }, { from: part.from, to: cut });
    else if (part.to > part.from) parts.push(part);
  }
  return parts;
}
