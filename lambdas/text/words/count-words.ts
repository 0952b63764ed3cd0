const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const BLANKS = /\s+/;
/** The script of the text decides, not the locale. A bundle without use of it leaves it out. */
const segmenter = /* @__PURE__ */ new Intl.Segmenter('en', { granularity: 'word' });

/** Returns whether a text has letters of a script without spaces between words. Korean has some spaces. */
export const isUnspaced = (text: string): boolean => WITHOUT_BLANKS.test(text);

/** Counts the words between spaces; in scripts without spaces, the words that ICU's dictionary finds. */
export function countWords(text: string): number {
  if (!isUnspaced(text)) return text.split(BLANKS).length;
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++;
  return count;
}

/** Returns the beginning of a text, `count` words at most. */
export function firstWords(text: string, count: number): string {
  if (!isUnspaced(text)) return text.split(BLANKS, count).join(' ');
  let left = count;
  for (const { isWordLike, index } of segmenter.segment(text)) {
    if (isWordLike && left === 0) return text.slice(0, index).trimEnd();
    if (isWordLike) left--;
  }
  return text;
}
