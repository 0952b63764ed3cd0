const LAST_LETTER = '\u{10ffff}';

/**
 * The smallest text, by UTF-8 bytes, beyond all that start with the prefix; undefined if there is none.
 * UTF-8 keeps the order of code points, so the last of them that has a successor is replaced by it.
 */
export function prefixEnd(prefix: string): string | undefined {
  const letters = Array.from(prefix.toWellFormed());
  while (letters.at(-1) === LAST_LETTER) letters.pop();
  const point = letters.pop()?.codePointAt(0);
  if (point === undefined) return undefined;
  // The surrogates between these two have no UTF-8 form.
  return letters.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
}
