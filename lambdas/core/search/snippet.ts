import { cut } from '../language/folding.ts';
import { isName } from '../language/labels.ts';
import type { QueryTerm } from '../language/query-terms.ts';
import { findTerms } from '../language/terms.ts';

/** A passage of a text and, as offsets into it, the words to mark: in order, none touching the next. */
export type Snippet = { readonly text: string; readonly highlights: readonly Range[] };
type Range = readonly [start: number, end: number];

type Hit = { readonly start: number; readonly end: number; readonly places: readonly number[] };
type Passage = { readonly start: number; readonly end: number };

export const LONGEST_SNIPPET = 320;
/** A passage that ends with its sentence may be this short. */
const SHORTEST = 160;
/** How much of a long sentence stands before the word that was sought in it. */
const LEAD = 80;
/** A chunk is shorter; more is not looked at. */
const LONGEST_TEXT = 20_000;
/** Of a passage that begins with a sentence. */
const SENTENCE_WORTH = 0.05;
/** Of a passage that begins with the name of what it explains, and that name has a word of the query. */
const NAME_WORTH = 0.08;
const ELLIPSIS = '…';
const ROOM = LONGEST_SNIPPET - 2 * ELLIPSIS.length;
/** Not the full stop of "e.g." nor of an initial; what follows has no small letter, so that unknown abbreviations end nothing either. */
const SENTENCE_END =
  /[.!?\u2026](?<!\b(?:e\.g|i\.e|cf|vs|\p{Lu})\.)["'\u2019\u201d)\]]?(?=\n| [\p{Lu}\p{Lt}\p{Lo}\p{N}"'\u2018\u201c\u00ab([\u00a1\u00bf])|[\u3002\uff01\uff1f]|\n/gu;
/** A heading or a name at the end of a passage, with nothing of what it stands for. */
const LOOSE_ENDS = /(?<=[.!?:;)"'\u2019\u201d\u3002])(?:\n[^\n]{0,40}[^\n.!?:;)"'\u2019\u201d\u3002]){1,2}$/uy;

/**
 * The passage that has most of the query's words, at most 320 characters, cut at sentence ends where they fit, else at blanks.
 * Lines stay lines, so that code, lists and tables can be shown as such.
 */
export function snippet(text: string, query: readonly QueryTerm[], language: string): Snippet {
  const plain = tidied(text);
  const hits = hitsOf(plain, query, language);
  if (plain.length <= LONGEST_SNIPPET) return shown(plain, { start: 0, end: plain.length }, hits, true);
  const sentences = new Sentences(plain);
  const best = bestPassage(plain, sentences, hits);
  return shown(plain, best, hits, sentences.starts.has(best.start));
}

function bestPassage(text: string, sentences: Sentences, hits: readonly Hit[]): Passage {
  const starts = new Set([...sentences.starts, ...hits.map((hit) => leadIn(text, hit))]);
  let best: Passage = { start: 0, end: 0 };
  let most = -1;
  let firstHit = 0;
  for (const start of [...starts].sort((a, b) => a - b)) {
    while ((hits[firstHit]?.start ?? Infinity) < start) firstHit++;
    const isNamed = hits[firstHit]?.start === start && isNameAt(start, text);
    const beginning = (sentences.starts.has(start) ? SENTENCE_WORTH : 0) + (isNamed ? NAME_WORTH : 0);
    if (worthOf({ start, end: start + ROOM }, hits, firstHit) + beginning <= most) continue; // no end of it makes it better
    const passage = { start, end: passageEnd(text, sentences.ends, start) };
    const worth = worthOf(passage, hits, firstHit) + beginning;
    if (worth > most) [best, most] = [passage, worth];
  }
  return best;
}

const NOT_ONE_BLANK = /\s{2,}|[^\S \n]/g;

/** Well-formed, blanks single, a line end where there was one. */
function tidied(text: string): string {
  const start = cut(text, LONGEST_TEXT).toWellFormed();
  return start.replace(NOT_ONE_BLANK, (blanks) => (blanks.includes('\n') ? '\n' : ' ')).trim();
}

function hitsOf(text: string, query: readonly QueryTerm[], language: string): readonly Hit[] {
  const placesOf = new Map<string, number[]>();
  for (const [place, { forms }] of query.filter((term) => !term.question).entries()) {
    for (const form of new Set(forms)) placesOf.set(form, [...(placesOf.get(form) ?? []), place]);
  }
  return findTerms(new Set(placesOf.keys()), text, language).map(({ term, start, end }) => ({
    ...{ start, end, places: placesOf.get(term) ?? [] },
  }));
}

/** Where the sentences and lines of a text begin and end. */
class Sentences {
  /** Ascending; of a line that ends without a full stop the place before its line end. */
  readonly ends: readonly number[];
  readonly starts: ReadonlySet<number>;

  constructor(text: string) {
    this.ends = Array.from(text.matchAll(SENTENCE_END), ({ 0: end, index }) => index + end.trimEnd().length);
    const starts = this.ends.map((end) => (/\s/.test(text.charAt(end)) ? end + 1 : end));
    this.starts = new Set([0, ...starts.filter((at) => at < text.length)]);
  }
}

/** Whether a line begins there that may name what the next one explains. */
function isNameAt(start: number, text: string): boolean {
  const end = text.indexOf('\n', start);
  return end > start && (start === 0 || text[start - 1] === '\n') && isName(text.slice(start, end));
}

/** A word some way before the hit, or the hit itself where nothing is blank. */
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

/** The greatest of ascending numbers that is not above the limit; -1 if all are. */
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

/** Another word of the query is worth more than any repetition; among equals the passage that comes to the point, unless it is short. */
function worthOf({ start, end }: Passage, hits: readonly Hit[], firstHit: number): number {
  const places = new Set<number>();
  let last = firstHit;
  for (; (hits[last]?.end ?? Infinity) <= end; last++) {
    for (const place of hits[last]?.places ?? []) places.add(place);
  }
  const delay = last > firstHit ? (hits[firstHit]?.start ?? start) - start : 0;
  const shortness = end - start < SHORTEST ? 0.02 : 0;
  return places.size + 0.01 * Math.min(last - firstHit, 10) - shortness - delay / 100_000;
}

function shown(text: string, { start, end }: Passage, hits: readonly Hit[], isSentence: boolean): Snippet {
  const passage = text.slice(start, end);
  const isWhole =
    end === text.length || /[\s.!?\u2026\u3002\uff01\uff1f"'\u2019\u201d)\]]$/.test(passage) || text[end] === '\n';
  const before = isSentence ? '' : ELLIPSIS;
  const shift = before.length - start;
  const inside = hits.filter((hit) => hit.start >= start && hit.end <= end);
  return {
    text: before + passage + (isWhole ? '' : ELLIPSIS),
    highlights: merged(inside.map((hit) => [hit.start + shift, hit.end + shift])),
  };
}

/** An identifier and its parts, or pairs of characters, are one mark. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}
