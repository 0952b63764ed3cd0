import { wordSet } from '../html/word-set.ts';
import type { Block } from '../page-content.ts';
import { fold } from '../words/folding.ts';
import { isQuestionWord } from '../words/question-words.ts';
import { stem } from '../words/stemmer.ts';

const MAX_PHRASES = 5;
const MAX_CANDIDATES = 100;
const MAX_WORDS = 4;
/** Characters at the start of a page that are searched. */
const MAX_TEXT = 6_000;
const MAX_HEADINGS = 20;
const MAX_LINE = 200;
/** Minimum occurrences of a phrase; two are enough for a phrase of the title. */
const MIN_COUNT = 3;
const MIN_TITLE_COUNT = 2;
/** A heading that occurs this often names a part of each section or a speaker, not a topic. */
const REPEATED_HEADING = 3;
/** A single word is a phrase only if it is in the title or in this many headings. */
const HEADINGS_FOR_A_WORD = 3;
/** The title counts as this many headings. */
const TITLE_WEIGHT = 3;
/** A dot and up to three letters belong to a name, as in Node.js; a longer part is a separate word. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’+#_-]*(?:\.[\p{L}\p{N}]{1,3}(?![\p{L}\p{M}\p{N}'’+#_-]))*/gu;
const ASCII = /^[ -~]*$/;
/** Numbers, dates and abbreviations such as U.S. */
const NOT_A_NAME = /^(?:[\d.-]+|\p{L}(?:\.\p{L})+)$/u;
/** Words that name parts of any page, and stop words besides the question words. */
const GENERIC_WORDS = wordSet(`
  overview introduction conclusion summary example examples contents reference references note notes more see also
  related learn learned get getting started start guide tutorial faq faqs questions question answers answer read
  next previous home page pages section chapter part step steps tips best top new free using use used uses make
  making made other others all any each every most many much such only just then but between after before over under
  out up down off than too very really one two three first last here now still today year years january february
  april june july august september october november december day days time times way ways thing things people its ll
  re ve let lets need needs want help find check click buy shop work works good better bad great available different
  important common key full complete ultimate essential simple easy quick welcome about
`);

type Named = { readonly text: string; readonly words: number; readonly weight: number; count: number };

/** Returns phrases of the title and the headings that the text repeats, the strongest first. */
export function keyPhrases(title: string, blocks: readonly Block[], language: string): readonly string[] {
  const named = namedPhrases(title, blocks, language);
  countPhrases(named, blocks, language);
  const scored = [...named]
    .filter(([, phrase]) => isRepeated(phrase) && (phrase.words > 1 || isStrongWord(phrase)))
    .map(([key, { text, words, weight, count }]) => ({ key, text, score: count * words ** 2 * Math.sqrt(weight) }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  const kept: { readonly key: string; readonly text: string }[] = [];
  const similar: string[] = [];
  for (const { key, text } of scored.slice(0, MAX_CANDIDATES)) {
    if (kept.length >= MAX_PHRASES) break;
    if (similar.some((whole) => isPart(whole, key)) || kept.some((one) => isPart(key, one.key))) continue;
    if (kept.some((one) => isLike(one.key, key, language))) similar.push(key);
    else kept.push({ key, text });
  }
  return kept.map(({ text }) => text);
}

function isRepeated({ words, weight, count }: Named): boolean {
  return count >= (words > 1 && weight >= TITLE_WEIGHT ? MIN_TITLE_COUNT : MIN_COUNT);
}

function isStrongWord({ text, weight }: Named): boolean {
  return weight >= HEADINGS_FOR_A_WORD && text.length > 2 && /\p{L}/u.test(text);
}

function namedPhrases(title: string, blocks: readonly Block[], language: string): Map<string, Named> {
  const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text);
  const often = Map.groupBy(headings, (heading) => heading);
  const topics = headings.filter((heading) => (often.get(heading)?.length ?? 0) < REPEATED_HEADING);
  const named = new Map<string, Named>();
  for (const [index, line] of [title, ...topics.slice(0, MAX_HEADINGS)].entries()) {
    for (const [key, { text, words }] of phrasesOf(line.slice(0, MAX_LINE), language)) {
      const known = named.get(key);
      const weight = (known?.weight ?? 0) + (index === 0 ? TITLE_WEIGHT : 1);
      named.set(key, { text: known?.text ?? text, words, weight, count: 0 });
    }
  }
  return named;
}

function countPhrases(named: ReadonlyMap<string, Named>, blocks: readonly Block[], language: string): void {
  let room = MAX_TEXT;
  for (const { kind, text } of blocks) {
    if (room <= 0) return;
    if (kind === 'code') continue;
    const words = (text.slice(0, room).match(WORD) ?? []).map((word) => plain(word, language));
    for (let i = 0; i < words.length; i++) countFrom(words, i, named);
    room -= text.length;
  }
}

/** Counts the phrases that begin at a word; each prefix of a phrase is a phrase too. */
function countFrom(words: readonly string[], start: number, named: ReadonlyMap<string, Named>): void {
  let key = words[start] ?? '';
  for (let phrase = named.get(key), next = start + 1; phrase !== undefined; phrase = named.get(key), next++) {
    phrase.count++;
    key += ` ${words[next] ?? ''}`;
  }
}

/** Returns a word in lower case, without accents, and without the plural s of English. */
function plain(word: string, language: string): string {
  const lower = word.toLowerCase();
  const bare =
    ASCII.test(lower) && !lower.includes("'") ? lower : fold(lower.replace(/['’]s$/, '').replace(/['’]/g, ''));
  return language === 'en' && bare.length > 4 && bare.endsWith('s') && !bare.endsWith('ss') ? bare.slice(0, -1) : bare;
}

/** Returns phrases of up to four words, by their plain form. */
function phrasesOf(
  line: string,
  language: string,
): ReadonlyMap<string, { readonly text: string; readonly words: number }> {
  const found = new Map<string, { readonly text: string; readonly words: number }>();
  const words = [...line.matchAll(WORD)];
  for (let first = 0; first < words.length; first++) {
    let key = '';
    let end = words[first]?.index ?? 0;
    const start = end;
    for (let size = 1; size <= MAX_WORDS; size++) {
      const match = words[first + size - 1];
      if (match === undefined || !canName(match[0], language)) break;
      if (size > 1 && line.slice(end, match.index) !== ' ') break;
      end = match.index + match[0].length;
      key += size === 1 ? plain(match[0], language) : ` ${plain(match[0], language)}`;
      const text = line.slice(start, end).replace(/['’]s?$/, '');
      found.set(key, { text, words: size });
    }
  }
  return found;
}

function canName(word: string, language: string): boolean {
  const bare = fold(word.toLowerCase()).replace(/['’]/g, '');
  return !NOT_A_NAME.test(bare) && !isQuestionWord(bare, [language]) && !GENERIC_WORDS.has(bare);
}

/** Returns whether most words of `other` share a stem with `kept`. */
function isLike(kept: string, other: string, language: string): boolean {
  const known = stemmed(kept, language);
  const words = stemmed(other, language);
  return 2 * words.filter((word) => known.includes(word)).length > words.length;
}

const stemmed = (key: string, language: string): readonly string[] =>
  key.split(' ').map((word) => stem(word, language));

function isPart(whole: string, part: string): boolean {
  return ` ${whole} `.includes(` ${part} `);
}
