/** Damerau-Levenshtein distance (optimal string alignment): a swap of neighbouring letters is one edit. */
export function withinEditDistance(a: string, b: string, most: number): boolean {
  const width = b.length + 1;
  /** Row i has the distances between the first i letters of `a` and the beginnings of `b`. */
  const rows = [new Uint8Array(width), Uint8Array.from({ length: width }, (_, j) => j), new Uint8Array(width)] as const;
  let [before, row, next] = rows;
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let least = i;
    for (let j = 1; j < width; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edited = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      const distance = swapped ? Math.min(edited, at(before, j - 2) + 1) : edited;
      next[j] = distance;
      least = Math.min(least, distance);
    }
    if (least > most) return false;
    [before, row, next] = [row, next, before];
  }
  return at(row, b.length) <= most;
}

/** Returns whether a prefix of the word is within one edit of the text. */
export function isOneEditFromPrefix(text: string, word: string): boolean {
  if (!sharesHalf(text, word)) return false;
  for (let length = text.length - 1; length <= text.length + 1; length++)
    if (length <= word.length && withinEditDistance(text, word.slice(0, length), 1)) return true;
  return false;
}

/**
 * Returns false only if the word has no prefix within one edit. One edit keeps the first or the second half, the second
 * possibly shifted by one; a swap may touch both.
 */
function sharesHalf(text: string, word: string): boolean {
  const half = text.length >> 1;
  if (word.startsWith(text.slice(0, Math.max(0, half - 1)))) return true;
  const rest = text.slice(half + 1);
  return [half, half + 1, half + 2].some((start) => word.startsWith(rest, start));
}

const at = (row: Uint8Array, index: number): number => row[index] as number;
