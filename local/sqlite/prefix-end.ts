/** A value greater than any text: SQLite sorts blobs after text. */
export const BEYOND_TEXT = new Uint8Array(0);

const LAST_CODE_POINT = '\u{10ffff}';

/**
 * Returns the smallest string, in UTF-8 byte order, that is greater than every string with the prefix. Undefined if
 * there is none.
 * UTF-8 preserves the order of code points, so the last code point that has a successor is replaced by it.
 */
export function prefixEnd(prefix: string): string | undefined {
  const characters = Array.from(prefix.toWellFormed());
  while (characters.at(-1) === LAST_CODE_POINT) characters.pop();
  const point = characters.pop()?.codePointAt(0);
  if (point === undefined) return undefined;
  // Skips the surrogates, which UTF-8 cannot encode.
  return characters.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
}
