/** Greater than any text: SQLite sorts blobs after text. */
export const BEYOND_TEXT = new Uint8Array(0);

const LAST_CODE_POINT = '\u{10ffff}';

/**
 * The smallest string, in UTF-8 byte order, greater than every string with the prefix, or undefined.
 * UTF-8 preserves the order of code points, so the last code point that has a successor is replaced by it.
 */
export function prefixEnd(prefix: string): string | undefined {
  const characters = Array.from(prefix.toWellFormed());
  while (characters.at(-1) === LAST_CODE_POINT) characters.pop();
  const point = characters.pop()?.codePointAt(0);
  if (point === undefined) return undefined;
  // Surrogates, which are between these two, cannot be encoded in UTF-8.
  return characters.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
}
