import { fold } from '../../language/folding.ts';
import { isQuestionWord } from '../../language/question-words.ts';
import { stem } from '../../language/stemmer.ts';
import type { Block } from '../page-content.ts';

const MAX_PHRASES = 5;
/** Of so many the strongest are chosen. */
const MAX_CANDIDATES = 100;
const MAX_WORDS = 4;
/** Of a longer page its start tells what it is about. */
const MAX_TEXT = 6_000;
const MAX_HEADINGS = 20;
const MAX_LINE = 200;
/** What stands in fewer places of the text is only mentioned; of the title's phrases two are enough. */
const FEWEST = 3;
const FEWEST_OF_TITLE = 2;
/** A heading that stands there so often names no topic but a part of each, or who speaks. */
const MANY_TIMES = 3;
/** A single word says enough if it is in the title, or in so many headings. */
const HEADINGS_FOR_A_WORD = 3;
/** A title counts like so many headings. */
const TITLE_WEIGHT = 3;
/** A short end behind a full stop belongs to a name, as in Node.js; what is longer is a name of its own. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’+#_-]*(?:\.[\p{L}\p{N}]{1,3}(?![\p{L}\p{M}\p{N}'’+#_-]))*/gu;
const ASCII = /^[ -~]*$/;
/** A number or date, or letters with full stops as in U.S. */
const NO_NAME = /^(?:[\d.-]+|\p{L}(?:\.\p{L})+)$/u;
/** Words that name parts of any page, or bind sentences besides the question words. */
const SAYS_NOTHING = new Set(
  (
    'overview introduction conclusion summary example examples contents reference references note notes more see also related learn learned get ' +
    'getting started start guide tutorial faq faqs questions question answers answer read next previous home page pages section chapter part ' +
    'step steps tips best top new free using use used uses make making made other others all any each every most many much such only just ' +
    'then but between after before over under out up down off than too very really one two three first last here now still ' +
    'today year years january february april june july august september october november december ' +
    'day days time times way ways thing things people its ll re ve let lets need needs want help find check click buy shop work works ' +
    'good better bad great available different important common key full complete ultimate essential simple easy quick welcome about'
  ).split(' '),
);

type Named = { readonly text: string; readonly words: number; readonly weight: number; count: number };

/** What a page is about: phrases of its title and headings that its text repeats, the strongest first. */
export function keyPhrases(title: string, blocks: readonly Block[], language: string): readonly string[] {
  const named = namedPhrases(title, blocks, language);
  countPhrases(named, blocks, language);
  const scored = [...named]
    .filter(([, phrase]) => isRepeated(phrase) && (phrase.words > 1 || saysEnough(phrase)))
    .map(([key, { text, words, weight, count }]) => ({ key, text, score: count * words ** 2 * Math.sqrt(weight) }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  const kept: { readonly key: string; readonly text: string }[] = [];
  const leftOut: string[] = [];
  for (const { key, text } of scored.slice(0, MAX_CANDIDATES)) {
    if (kept.length >= MAX_PHRASES) break;
    if (leftOut.some((whole) => isPart(whole, key)) || kept.some((one) => isPart(key, one.key))) continue;
    if (kept.some((one) => isLike(one.key, key, language))) leftOut.push(key);
    else kept.push({ key, text });
  }
  return kept.map(({ text }) => text);
}

function isRepeated({ words, weight, count }: Named): boolean {
  return count >= (words > 1 && weight >= TITLE_WEIGHT ? FEWEST_OF_TITLE : FEWEST);
}

function saysEnough({ text, weight }: Named): boolean {
  return weight >= HEADINGS_FOR_A_WORD && text.length > 2 && /\p{L}/u.test(text);
}

function namedPhrases(title: string, blocks: readonly Block[], language: string): Map<string, Named> {
  const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text);
  const often = Map.groupBy(headings, (heading) => heading);
  const topics = headings.filter((heading) => (often.get(heading)?.length ?? 0) < MANY_TIMES);
  const named = new Map<string, Named>();
  for (const [place, line] of [title, ...topics.slice(0, MAX_HEADINGS)].entries()) {
    for (const [key, { text, words }] of phrasesOf(line.slice(0, MAX_LINE), language)) {
      const known = named.get(key);
      const weight = (known?.weight ?? 0) + (place === 0 ? TITLE_WEIGHT : 1);
      named.set(key, { text: known?.text ?? text, words, weight, count: 0 });
    }
  }
  return named;
}

/** Counts the phrases in the start of the text, headings among it. */
function countPhrases(named: ReadonlyMap<string, Named>, blocks: readonly Block[], language: string): void {
  let room = MAX_TEXT;
  for (const { kind, text } of blocks) {
    if (room <= 0) return;
    if (kind === 'code') continue;
    const words = (text.slice(0, room).match(WORD) ?? []).map((word) => plain(word, language));
    for (let at = 0; at < words.length; at++) countFrom(words, at, named);
    room -= text.length;
  }
}

/** Counts the phrases that begin at a word; the beginnings of a phrase are phrases too. */
function countFrom(words: readonly string[], at: number, named: ReadonlyMap<string, Named>): void {
  let key = words[at] ?? '';
  for (let phrase = named.get(key), next = at + 1; phrase !== undefined; phrase = named.get(key), next++) {
    phrase.count++;
    key += ` ${words[next] ?? ''}`;
  }
}

/** A word in lower case, without accents, and of English ones without the mark of the plural. */
function plain(word: string, language: string): string {
  const lower = word.toLowerCase();
  const bare =
    ASCII.test(lower) && !lower.includes("'") ? lower : fold(lower.replace(/['’]s$/, '').replace(/['’]/g, ''));
  return language === 'en' && bare.length > 4 && bare.endsWith('s') && !bare.endsWith('ss') ? bare.slice(0, -1) : bare;
}

/** Runs of up to four words that name something, and their parts, by their plain form. */
function phrasesOf(
  line: string,
  language: string,
): ReadonlyMap<string, { readonly text: string; readonly words: number }> {
  const found = new Map<string, { readonly text: string; readonly words: number }>();
  const words = [...line.matchAll(WORD)];
  for (let at = 0; at < words.length; at++) {
    let key = '';
    let end = words[at]?.index ?? 0;
    const start = end;
    for (let size = 1; size <= MAX_WORDS; size++) {
      const match = words[at + size - 1];
      if (match === undefined || !namesSomething(match[0], language)) break;
      if (size > 1 && line.slice(end, match.index) !== ' ') break;
      end = match.index + match[0].length;
      key += size === 1 ? plain(match[0], language) : ` ${plain(match[0], language)}`;
      const text = line.slice(start, end).replace(/['’]s?$/, '');
      found.set(key, { text, words: size });
    }
  }
  return found;
}

function namesSomething(word: string, language: string): boolean {
  const bare = fold(word.toLowerCase()).replace(/['’]/g, '');
  return !NO_NAME.test(bare) && !isQuestionWord(bare, [language]) && !SAYS_NOTHING.has(bare);
}

/** True if most words of another phrase have stems of the one that is kept, as the parts of a longer one do. */
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
