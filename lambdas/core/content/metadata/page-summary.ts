import { cut } from '../../language/folding.ts';
import type { Block } from '../page-content.ts';
import { oneLine } from './page-head.ts';
import { folded } from './title-parts.ts';

/** A summary has at most about so many characters, and is not much longer for the sake of one more sentence. */
const LONGEST = 320;
const LONGEST_GIVEN = 500;
const SHORTEST = 60;
/** Passages that are looked at for sentences. */
const MAX_BLOCKS = 40;
/** Before the sign that ends it. */
const SHORTEST_SENTENCE = 20;
const SENTENCE_END = /[.!?]["'”’»)\]]{0,2}(?=\s+["'“‘«(¿¡]?[\p{Lu}\p{Lo}\p{N}]|$)|[。！？]/gu;
const CUT_SHORT = /(?:\.{3}|…|\[…\]|\[\.\.\.\])$/;
const ENDS = /[.!?。！？]["'”’»)\]]{0,2}$/;
/** In more links than this a passage is no prose. */
const LINKED_SHARE = 0.4;
/** Style rules, or blanks that were escaped twice: a machine has cut such a description out of the page. */
const MARKUP = /\{[^{}]{0,200}:[^{}]{0,200}\}|&nbsp;/i;
/** Shorter ones are in any text; forms of a word share so many letters. */
const LONG_WORD = 4;
const BEGINNING = 5;
/** So a sentence begins that goes on from the one before; "This" may be the page itself. */
const GOES_ON =
  /^(?:also|and|because|but|he|her|his|however|instead|it|its|or|otherwise|she|so|their|then|therefore|they|thus)\b/i;

/**
 * What a page says of itself, in whole sentences, if it says more than its title; else the first sentences of its
 * prose. They are better too where they have a word of the title and the description has none, as one that a whole site
 * shares.
 */
export function pageSummary(description: string, title: string, blocks: readonly Block[]): string | undefined {
  const given = MARKUP.test(description) ? '' : wholeSentences(oneLine(description));
  const isWhole = given !== '' && !isInside(given, title) && !CUT_SHORT.test(given);
  if (isWhole && speaksOf(given, title)) return given;
  const prose = firstSentences(blocks, title);
  if (isWhole && (prose === undefined || !speaksOf(prose, title))) return given;
  return prose ?? (given === '' ? undefined : given);
}

/** A description that was cut off, without its torn end where a sentence ends before. */
function wholeSentences(description: string): string {
  const isTorn = CUT_SHORT.test(description) || (description.length > 2 * SHORTEST && !ENDS.test(description));
  if (!isTorn && description.length <= LONGEST_GIVEN) return description;
  const whole = sentencesUpTo(description.replace(CUT_SHORT, ''), LONGEST_GIVEN);
  return whole.length >= SHORTEST ? whole : cut(description, LONGEST_GIVEN);
}

function firstSentences(blocks: readonly Block[], title: string): string | undefined {
  let summary = '';
  let leftOut: Block | undefined;
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    if (summary.length >= 2 * SHORTEST || (summary !== '' && !isProse(block))) break;
    const goesOn = GOES_ON.test(block.text) && leftOut !== undefined && ENDS.test(leftOut.text);
    const sentences =
      isProse(block) && !goesOn ? sentencesUpTo(oneLine(block.text.slice(0, 2 * LONGEST)), LONGEST) : '';
    const next = `${summary} ${sentences}`.trim();
    const isTaken = sentences !== '' && next.length <= LONGEST && !isInside(sentences, title);
    if (isTaken) summary = next;
    leftOut = isTaken ? undefined : block;
  }
  return summary.length >= SHORTEST ? summary : undefined;
}

function isProse(block: Block): boolean {
  return block.kind === 'text' && (block.linked ?? 0) <= LINKED_SHARE * block.text.length;
}

/** The whole sentences at the start of a text, as many as fit. */
function sentencesUpTo(text: string, length: number): string {
  let end = 0;
  for (const { 0: sign, index } of text.matchAll(SENTENCE_END)) {
    if (index + sign.length > length) break;
    if (index - end >= SHORTEST_SENTENCE) end = index + sign.length;
  }
  return text.slice(0, end).trim();
}

/** True if a text has a word that begins as a longer one of the title. */
function speaksOf(text: string, title: string): boolean {
  const beginnings = (words: string) =>
    folded(words)
      .split(' ')
      .filter((word) => word.length >= LONG_WORD)
      .map((word) => word.slice(0, BEGINNING));
  const named = new Set(beginnings(title));
  return beginnings(text).some((word) => named.has(word));
}

/** True if a text has no word that is not in the title. */
function isInside(text: string, title: string): boolean {
  const known = new Set(folded(title).split(' '));
  return folded(text)
    .split(' ')
    .every((word) => known.has(word));
}
