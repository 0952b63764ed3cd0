import { isUnspaced } from './count-words.ts';

/** Unknown abbreviations are ruled out by a small letter after them. */
const ABBREVIATION = String.raw`(?<![\p{L}\p{M}\p{N}])(?:e\.g|i\.e|cf|vs|[DM]r|M[rs]s|Prof|St|Sra?|Dra?|EE|Mme|Nr|Mio|Mrd|ca|bzw|z\. ?B|d\. ?h|[vn](?=\. Chr)|\p{Lu})\.`;
const NUMBERED = String.raw`\b(?:No|[Nn]r|[Nn]os|pp?|[Vv]ol|[Ff]ig|n\u00fam)\.(?= \p{Nd})`;
/** A German, Danish or Polish ordinal after a word that often precedes one: "am 7. Januar". */
const ORDINAL = String.raw`\b(?:[Aa]m|[Vv]om|[Zz]um|[Zz]ur|[Ii]m|[Dd](?:er|ie|as|em|en|es)|[Bb]is|und|[Ss]eit|[Aa]b|[Bb]eim|dnia|od|do|w|i) \p{Nd}{1,2}\.`;
/** Thai and Lao write a full stop only in abbreviations. */
const WITHOUT_STOPS = String.raw`[\p{sc=Thai}\p{sc=Lao}]\p{M}?\.`;
export const hasNoStops = (text: string): boolean => /[\p{sc=Thai}\p{sc=Lao}]/u.test(text);
const FULL_STOP = String.raw`[.!?\u2026](?<!${ABBREVIATION}|${NUMBERED}|${ORDINAL}|${WITHOUT_STOPS})["'\u2019\u201d)\]]?`;
const SENTENCE_START = String.raw`[\p{Lu}\p{Lt}\p{Lo}\p{N}"'\u2018\u201c\u00ab([\u00a1\u00bf]`;
/** Full stops and question marks of Chinese, Japanese, Indian, Arabic, Ethiopic, Khmer, Burmese and Armenian. */
export const OTHER_STOPS = '\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u1362\u17d4\u104b\u0589';
const OTHER_STOP = String.raw`[${OTHER_STOPS}]["'\u2019\u201d)\]\u300d\u300f\uff09]*`;
/** Greek asks with a semicolon. */
const GREEK_QUESTION = String.raw`(?<=\p{sc=Greek})[;\u037e](?=\n| ${SENTENCE_START})`;
/** The end of a sentence or a line. */
export const SENTENCE_END = new RegExp(
  String.raw`${FULL_STOP}(?=\n| ${SENTENCE_START})|${OTHER_STOP}|${GREEK_QUESTION}|\n`,
  'gu',
);

/** The number of a list item, which is not a sentence. */
const NUMBER = /^\s*\d{1,3}\.$/;
/** Thai and Lao end a sentence or a clause with a space. Spaces around numbers and foreign words do not count. */
const CLAUSE_END = /(?<=[\p{sc=Thai}\p{sc=Lao}]\p{M}*) (?=[\p{sc=Thai}\p{sc=Lao}])/gu;
/** Minimum length of a clause, in characters. Shorter clauses are joined. */
const MIN_CLAUSE_LENGTH = 80;

/** Returns the sentences and lines of a text, trimmed; none is empty. */
export function sentencesOf(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(SENTENCE_END)) {
    const sentence = text.slice(from, index + end.length);
    if (NUMBER.test(sentence)) continue;
    found.push(sentence);
    from = index + end.length;
  }
  return [...found, text.slice(from)]
    .flatMap(clausesOf)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function clausesOf(sentence: string): readonly string[] {
  if (!isUnspaced(sentence)) return [sentence];
  const clauses: string[] = [];
  let from = 0;
  for (const { index } of sentence.matchAll(CLAUSE_END)) {
    if (index - from < MIN_CLAUSE_LENGTH) continue;
    clauses.push(sentence.slice(from, index));
    from = index;
  }
  return [...clauses, sentence.slice(from)];
}
