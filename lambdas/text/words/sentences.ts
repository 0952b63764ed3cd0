/** Not after "e.g." or an initial; unknown abbreviations are ruled out by a small letter after them. */
const FULL_STOP = String.raw`[.!?\u2026](?<!\b(?:e\.g|i\.e|cf|vs|\p{Lu})\.)["'\u2019\u201d)\]]?`;
const SENTENCE_START = String.raw`[\p{Lu}\p{Lt}\p{Lo}\p{N}"'\u2018\u201c\u00ab([\u00a1\u00bf]`;
/** Where a sentence or a line ends. */
export const SENTENCE_END = new RegExp(String.raw`${FULL_STOP}(?=\n| ${SENTENCE_START})|[\u3002\uff01\uff1f]|\n`, 'gu');

/** The number of a list item, which is no sentence. */
const NUMBER = /^\s*\d{1,3}\.$/;

/** The sentences and lines of a text, trimmed; none is empty. */
export function sentencesOf(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(SENTENCE_END)) {
    const sentence = text.slice(from, index + end.length);
    if (NUMBER.test(sentence)) continue;
    found.push(sentence);
    from = index + end.length;
  }
  return [...found, text.slice(from)].map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}
