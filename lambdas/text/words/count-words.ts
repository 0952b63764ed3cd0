const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const BLANKS = /\s+/;
/** The script of the text decides, not the locale. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Whether a text has letters of a script that puts no blanks between words. Korean puts some. */
export const isUnspaced = (text: string): boolean => WITHOUT_BLANKS.test(text);

/** The words between blanks; in scripts without blanks those of ICU's dictionary. */
export function countWords(text: string): number {
  if (!isUnspaced(text)) return text.split(BLANKS).length;
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++;
  return count;
}

/** The beginning of a text, of at most so many words. */
export function firstWords(text: string, count: number): string {
  if (!isUnspaced(text)) return text.split(BLANKS, count).join(' ');
  let left = count;
  for (const { isWordLike, index } of segmenter.segment(text)) {
    if (isWordLike && left === 0) return text.slice(0, index).trimEnd();
    if (isWordLike) left--;
  }
  return text;
}
