import { cut } from '../language/folding.ts';
import type { QueryTerm } from '../language/query-terms.ts';
import { terms } from '../language/terms.ts';

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
const ELLIPSIS = '…';
const ROOM = LONGEST_SNIPPET - 2 * ELLIPSIS.length;
const SENTENCE_END = /[.!?\u2026]["'\u2019\u201d)\]]?(?=\s)|[\u3002\uff01\uff1f]|\n/g;

/** The passage that has most of the query's words, at most 320 characters, cut at sentence ends where they fit, else at blanks. */
export function snippet(text: string, query: readonly QueryTerm[], language: string): Snippet {
  const plain = tidied(text);
  const hits = hitsOf(plain, query, language);
  if (plain.length <= LONGEST_SNIPPET) return shown(plain, { start: 0, end: plain.length }, hits, true);
  const sentences = sentenceStarts(plain);
  const starts = [...sentences, ...hits.map((hit) => leadIn(plain, hit))].sort((a, b) => a - b);
  let best: Passage = { start: 0, end: 0 };
  let most = -1;
  let firstHit = 0;
  for (const start of starts) {
    while ((hits[firstHit]?.start ?? Infinity) < start) firstHit++;
    const passage = { start, end: passageEnd(plain, start) };
    const worth = worthOf(passage, hits, firstHit) + (sentences.has(start) ? 0.05 : 0);
    if (worth > most) [best, most] = [passage, worth];
  }
  return shown(plain, best, hits, sentences.has(best.start));
}

/** Well-formed, blanks single, a line end where there was one. */
function tidied(text: string): string {
  const start = cut(text, LONGEST_TEXT).toWellFormed();
  return start.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' ')).trim();
}

function hitsOf(text: string, query: readonly QueryTerm[], language: string): readonly Hit[] {
  const sought = query.filter((term) => !term.question);
  return terms(text, language).flatMap(({ term, start, end }) => {
    const places = sought.flatMap(({ forms }, place) => (forms.includes(term) ? [place] : []));
    return places.length > 0 ? [{ start, end, places }] : [];
  });
}

function sentenceStarts(text: string): ReadonlySet<number> {
  const ends = Array.from(text.matchAll(SENTENCE_END), (found) => found.index + found[0].length);
  return new Set([
    0,
    ...ends.map((end) => (/\s/.test(text.charAt(end)) ? end + 1 : end)).filter((at) => at < text.length),
  ]);
}

/** A word some way before the hit, or the hit itself where nothing is blank. */
function leadIn(text: string, hit: Hit): number {
  const from = Math.max(0, hit.start - LEAD);
  const blank = text.slice(from, hit.start).search(/\s/);
  return blank < 0 ? hit.start : from + blank + 1;
}

function passageEnd(text: string, start: number): number {
  if (text.length - start <= ROOM) return text.length;
  const room = cut(text.slice(start, start + ROOM + 1), ROOM);
  const end = Array.from(room.slice(SHORTEST).matchAll(SENTENCE_END)).at(-1);
  if (end) return start + SHORTEST + end.index + end[0].trimEnd().length;
  const blank = Math.max(room.lastIndexOf(' '), room.lastIndexOf('\n'));
  return start + (blank > SHORTEST ? blank : room.length);
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
    text: before + passage.replaceAll('\n', ' ') + (isWhole ? '' : ELLIPSIS),
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
