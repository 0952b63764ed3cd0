import type { Block } from '../page-content.ts';
import { cut } from '../words/folding.ts';
import { oneLine } from './page-head.ts';
import { folded } from './title-parts.ts';

/** Longest summary from the prose, in characters. */
const LONGEST = 320;
const MAX_GIVEN_LENGTH = 500;
const SHORTEST = 60;
const MAX_BLOCKS = 40;
const MIN_SENTENCE_LENGTH = 20;
const SENTENCE_END = /[.!?]["'”’»)\]]{0,2}(?=\s+["'“‘«(¿¡]?[\p{Lu}\p{Lo}\p{N}]|$)|[。！？]/gu;
const TRUNCATED = /(?:\.{3}|…|\[…\]|\[\.\.\.\])$/;
const ENDS_SENTENCE = /[.!?。！？]["'”’»)\]]{0,2}$/;
/** A passage with a larger share of links is not prose. */
const LINKED_SHARE = 0.4;
/** Style rules or doubly escaped spaces: the description was generated from markup. */
const MARKUP = /\{[^{}]{0,200}:[^{}]{0,200}\}|&nbsp;/i;
/** Shorter words occur in any text. Forms of a word share the first letters. */
const LONG_WORD = 4;
const BEGINNING = 5;
/** A sentence that begins like this continues the one before; "This" may refer to the page. */
const CONTINUES =
  /^(?:also|and|because|but|he|her|his|however|instead|it|its|or|otherwise|she|so|their|then|therefore|they|thus)\b/i;

/**
 * Returns the description, or the prose if the description is truncated, only repeats the title, or shares no word with
 * it.
 */
export function pageSummary(description: string, title: string, blocks: readonly Block[]): string | undefined {
  const given = MARKUP.test(description) ? '' : wholeSentences(oneLine(description));
  const isWhole = given !== '' && !hasOnlyWordsOf(given, title) && !TRUNCATED.test(given);
  if (isWhole && sharesWord(given, title)) return given;
  const prose = firstSentences(blocks, title);
  if (isWhole && (prose === undefined || !sharesWord(prose, title))) return given;
  return prose ?? (given === '' ? undefined : given);
}

/** Drops a truncated last sentence if a whole one precedes it. */
function wholeSentences(description: string): string {
  const isTruncated =
    TRUNCATED.test(description) || (description.length > 2 * SHORTEST && !ENDS_SENTENCE.test(description));
  if (!isTruncated && description.length <= MAX_GIVEN_LENGTH) return description;
  const whole = sentencesUpTo(description.replace(TRUNCATED, ''), MAX_GIVEN_LENGTH);
  return whole.length >= SHORTEST ? whole : cut(description, MAX_GIVEN_LENGTH);
}

function firstSentences(blocks: readonly Block[], title: string): string | undefined {
  let summary = '';
  let skipped: Block | undefined;
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    if (summary.length >= 2 * SHORTEST || (summary !== '' && !isProse(block))) break;
    const continues = CONTINUES.test(block.text) && skipped !== undefined && ENDS_SENTENCE.test(skipped.text);
    const sentences =
      isProse(block) && !continues ? sentencesUpTo(oneLine(block.text.slice(0, 2 * LONGEST)), LONGEST) : '';
    const next = `${summary} ${sentences}`.trim();
    const isTaken = sentences !== '' && next.length <= LONGEST && !hasOnlyWordsOf(sentences, title);
    if (isTaken) summary = next;
    skipped = isTaken ? undefined : block;
  }
  return summary.length >= SHORTEST ? summary : undefined;
}

function isProse(block: Block): boolean {
  return block.kind === 'text' && (block.linked ?? 0) <= LINKED_SHARE * block.text.length;
}

/** Returns the whole sentences from the start of a text that fit into `length` characters. */
function sentencesUpTo(text: string, length: number): string {
  let end = 0;
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    if (index + mark.length > length) break;
    if (index - end >= MIN_SENTENCE_LENGTH) end = index + mark.length;
  }
  return text.slice(0, end).trim();
}

/** Returns whether a text has a word with the same first letters as a long word of the title. */
function sharesWord(text: string, title: string): boolean {
  const beginnings = (words: string) =>
    folded(words)
      .split(' ')
      .filter((word) => word.length >= LONG_WORD)
      .map((word) => word.slice(0, BEGINNING));
  const named = new Set(beginnings(title));
  return beginnings(text).some((word) => named.has(word));
}

/** Returns whether the title has all words of a text. */
function hasOnlyWordsOf(text: string, title: string): boolean {
  const known = new Set(folded(title).split(' '));
  return folded(text)
    .split(' ')
    .every((word) => known.has(word));
}
