import { CELL_SEPARATOR } from '../../../text/extraction/table-rows.ts';
import { cut } from '../../../text/words/folding.ts';
import { isName } from '../../../text/words/labels.ts';
import type { QueryTerm } from '../../../text/words/query-terms.ts';
import { SENTENCE_END } from '../../../text/words/sentences.ts';
import { termsAmong } from '../../../text/words/terms.ts';
import { countBits } from '../rank/weighted-terms.ts';

/** A passage of a text. `highlights`: the ranges to mark, as offsets into it, in order and not adjacent. */
export type Snippet = {
  readonly text: string;
  readonly highlights: readonly Range[];
  /** Line of the first marked word, or of the passage's start, in the whole text. Empty lines are not counted. */
  readonly line: number;
};
export type SnippetCutter = (text: string, language: string) => Snippet;
type Range = readonly [start: number, end: number];

/** A matched word. `terms`: the query terms that it matches, as bits. */
type Hit = { readonly start: number; readonly end: number; readonly terms: number };
type Passage = { readonly start: number; readonly end: number };

export const MAX_SNIPPET_LENGTH = 320;
/** Least characters of a passage that is shortened to end with a sentence. */
const SHORTEST = 160;
/** Characters before the matched word in a long sentence. */
const LEAD = 80;
/** The rest of a longer text is ignored. Chunks are shorter. */
const MAX_TEXT_LENGTH = 20_000;
/** Added to the score of a passage that begins with a sentence. */
const SENTENCE_SCORE = 0.05;
/** Added to the score of a passage that begins with the name of what it explains, if the name starts with a hit. */
const NAME_SCORE = 0.08;
const ELLIPSIS = '…';
const ROOM = MAX_SNIPPET_LENGTH - 2 * ELLIPSIS.length;
/** Longest line of column names that is shown before a row. */
const MAX_COLUMNS_LENGTH = 160;
/** A heading or a name at the end of a passage, without the text that belongs to it. */
const LOOSE_ENDS = /(?<=[.!?:;)"'\u2019\u201d\u3002])(?:\n[^\n]{0,40}[^\n.!?:;)"'\u2019\u201d\u3002]){1,2}$/uy;

/**
 * Returns a function that cuts the passage with most of the query's words out of a text: whole sentences if possible,
 * with line ends, at most 320 characters.
 */
export function snippetCutter(query: readonly QueryTerm[]): SnippetCutter {
  const hitsIn = hitFinder(query);
  return (text, language) => {
    const plain = tidied(text);
    const hits = hitsIn(plain, language);
    if (plain.length <= MAX_SNIPPET_LENGTH) return shown(plain, { start: 0, end: plain.length }, hits, true);
    const { passage, isSentence } = bestPassage(plain, hits);
    const columns = isSentence ? columnsAbove(plain, passage.start) : '';
    const end = columns === '' ? passage.end : rowsEnd(plain, passage, ROOM - columns.length);
    return shown(plain, { ...passage, end }, hits, isSentence, columns);
  };
}

function bestPassage(text: string, hits: readonly Hit[]) {
  const sentences = sentencesIn(text);
  let best = { passage: { start: 0, end: 0 }, isSentence: true };
  let highest = -1;
  let firstHit = 0;
  for (const { start, isSentence } of startsOf(sentences.starts, hits, text)) {
    while ((hits[firstHit]?.start ?? Infinity) < start) firstHit++;
    const isNamed = hits[firstHit]?.start === start && isNameAt(start, text);
    const beginning = (isSentence ? SENTENCE_SCORE : 0) + (isNamed ? NAME_SCORE : 0);
    // The longest passage from here has the highest score.
    if (scoreOf({ start, end: start + ROOM }, hits, firstHit) + beginning <= highest) continue;
    const passage = { start, end: passageEnd(text, sentences.ends, start) };
    const score = scoreOf(passage, hits, firstHit) + beginning;
    if (score > highest) [best, highest] = [{ passage, isSentence }, score];
  }
  return best;
}

/** Returns the header line of a table with its line end (`passageBlocks`) if a row is at `start`; else ''. */
function columnsAbove(text: string, start: number): string {
  const lines = text.slice(0, start).split('\n').slice(0, -1);
  const rowsEnd = text.indexOf('\n', start);
  if (!text.slice(start, rowsEnd < 0 ? text.length : rowsEnd).includes(CELL_SEPARATOR)) return '';
  const others = lines.findLastIndex((line) => !line.includes(CELL_SEPARATOR));
  const columns = lines.slice(others + 1).find((line) => line.endsWith(':'));
  return columns === undefined || columns.length > MAX_COLUMNS_LENGTH ? '' : `${columns}\n`;
}

/** Returns the end of the last line that fits. Cuts inside the first line if that alone is too long. */
function rowsEnd(text: string, { start, end }: Passage, room: number): number {
  if (end - start <= room) return end;
  const last = text.lastIndexOf('\n', start + room);
  return last > start ? last : Math.min(end, start + room);
}

type Start = { readonly start: number; readonly isSentence: boolean };

/** Returns where a passage may begin: at a sentence, or some words before a hit. Ascending and distinct. */
function startsOf(sentences: readonly number[], hits: readonly Hit[], text: string): readonly Start[] {
  const starts: Start[] = [];
  const add = (start: number, isSentence: boolean): void => {
    if (starts.at(-1)?.start !== start) starts.push({ start, isSentence });
  };
  let next = 0;
  for (const start of [...hits.map((hit) => leadIn(text, hit)), Infinity]) {
    for (; next < sentences.length && (sentences[next] as number) <= start; next++)
      add(sentences[next] as number, true);
    if (start < Infinity) add(start, false);
  }
  return starts;
}

const NOT_ONE_BLANK = /\s(?:\s+|(?<=[^ \n]))/g;

/** Makes the text well-formed and reduces white space to single blanks and line ends. */
function tidied(text: string): string {
  const start = cut(text, MAX_TEXT_LENGTH).toWellFormed();
  return start.replace(NOT_ONE_BLANK, (blanks) => (blanks.includes('\n') ? '\n' : ' ')).trim();
}

function hitFinder(query: readonly QueryTerm[]): (text: string, language: string) => readonly Hit[] {
  const termsByForm = new Map<string, number>();
  for (const [i, { forms }] of query.filter((term) => !term.question).entries()) {
    for (const form of forms) termsByForm.set(form, (termsByForm.get(form) ?? 0) | (1 << i));
  }
  const find = termsAmong(new Set(termsByForm.keys()));
  return (text, language) =>
    find(text, language).map(({ term, start, end }) => ({ start, end, terms: termsByForm.get(term) ?? 0 }));
}

/** Returns ends and starts of sentences, ascending. A line end also ends a sentence. */
function sentencesIn(text: string) {
  const ends: number[] = [];
  for (const { 0: end, index } of text.matchAll(SENTENCE_END)) ends.push(index + end.trimEnd().length);
  const starts = ends.map((end) => (/\s/.test(text.charAt(end)) ? end + 1 : end));
  return { ends, starts: [0, ...starts.filter((at) => at < text.length)] };
}

/** Tells whether a line begins at `start` that may be the name of the thing that the next line explains. */
function isNameAt(start: number, text: string): boolean {
  const end = text.indexOf('\n', start);
  return end > start && (start === 0 || text[start - 1] === '\n') && isName(text.slice(start, end));
}

/** Returns the start of a word up to `LEAD` characters before the hit, or the hit's start if no blank is there. */
function leadIn(text: string, hit: Hit): number {
  const from = Math.max(0, hit.start - LEAD);
  const blank = text.slice(from, hit.start).search(/\s/);
  return blank < 0 ? hit.start : from + blank + 1;
}

function passageEnd(text: string, ends: readonly number[], start: number): number {
  if (text.length - start <= ROOM) return text.length;
  const end = lastUpTo(start + ROOM, ends);
  if (end >= start + SHORTEST) return start + withoutLooseEnds(text.slice(start, end)).length;
  const room = cut(text.slice(start, start + ROOM + 1), ROOM);
  const blank = Math.max(room.lastIndexOf(' '), room.lastIndexOf('\n'));
  return start + (blank > SHORTEST ? blank : room.length);
}

/** Returns the greatest of ascending numbers up to the limit; -1 if all are above it. */
function lastUpTo(limit: number, numbers: readonly number[]): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return numbers[low - 1] ?? -1;
}

function withoutLooseEnds(passage: string): string {
  const lastLine = passage.lastIndexOf('\n');
  const lineBefore = passage.lastIndexOf('\n', lastLine - 1);
  const end = [lineBefore, lastLine].find((at) => isLoose(passage, at)) ?? -1;
  return end >= SHORTEST ? passage.slice(0, end) : passage;
}

function isLoose(passage: string, at: number): boolean {
  LOOSE_ENDS.lastIndex = at;
  return LOOSE_ENDS.test(passage);
}

/** Scores a passage: distinct words count most, then repetitions, then an early first hit. Short ones score less. */
function scoreOf({ start, end }: Passage, hits: readonly Hit[], firstHit: number): number {
  let terms = 0;
  let last = firstHit;
  for (; last < hits.length && (hits[last] as Hit).end <= end; last++) terms |= (hits[last] as Hit).terms;
  const delay = last > firstHit ? (hits[firstHit]?.start ?? start) - start : 0;
  const shortness = end - start < SHORTEST ? 0.02 : 0;
  return countBits(terms) + 0.01 * Math.min(last - firstHit, 10) - shortness - delay / 100_000;
}

function shown(
  text: string,
  { start, end }: Passage,
  hits: readonly Hit[],
  isSentence: boolean,
  columns = '',
): Snippet {
  const passage = text.slice(start, end);
  const isWhole =
    end === text.length || /[\s.!?\u2026\u3002\uff01\uff1f"'\u2019\u201d)\]]$/.test(passage) || text[end] === '\n';
  const before = isSentence ? columns : ELLIPSIS;
  const shift = before.length - start;
  const inside = hits.filter((hit) => hit.start >= start && hit.end <= end);
  const first = inside[0]?.start ?? start;
  return {
    text: before + passage + (isWhole ? '' : ELLIPSIS),
    line: text.slice(0, first).split('\n').length - 1,
    highlights: merged(inside.map((hit) => [hit.start + shift, hit.end + shift])),
  };
}

/** Joins overlapping ranges, such as an identifier and its parts, or pairs of characters. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}
