import { MAX_FOUND_WORDS, type SpelledWord, type WordEntry, type WordQuery } from '../domain/ports/index-reader.ts';
import { WordPostings } from './lexical-scorer.ts';
import type { Segment } from './segment.ts';
import { MAX_COMPLETIONS } from './spellings.ts';

/** What the pages of all segments know of a word. */
export function wordEntry(query: WordQuery, segments: readonly Segment[]): WordEntry {
  const isKnown = segments.some((segment) => new WordPostings(query.forms, segment).count > 0);
  if (query.find === undefined) return { isKnown, pages: 0, found: [] };
  const found = segments.map((segment) => foundIn(segment, query));
  return { isKnown, pages: pagesWith(query.word, segments), found: mostFrequent(found, segments) };
}

function foundIn({ spellings }: Segment, { word, find }: WordQuery): readonly SpelledWord[] {
  if (find === 'similar') return spellings.similarTo(word);
  if (find === 'completions') return spellings.completionsOf(word);
  return find === 'similarCompletions' ? spellings.similarCompletionsOf(word) : [];
}

/** `found` is of each segment. A group has a hundred: the pages of a word are counted again only if a list was cut. */
function mostFrequent(
  found: readonly (readonly SpelledWord[])[],
  segments: readonly Segment[],
): readonly SpelledWord[] {
  const listed = new Map<string, number>();
  for (const { word, pages } of found.flat()) listed.set(word, pages + (listed.get(word) ?? 0));
  const best = Array.from(listed, ([word, pages]) => ({ word, pages })).sort(byPages);
  if (segments.length === 1 || !found.some(isCut)) return best.slice(0, MAX_FOUND_WORDS);
  const exact = best.slice(0, MAX_COMPLETIONS).map(({ word }) => ({ word, pages: pagesWith(word, segments) }));
  return exact.sort(byPages).slice(0, MAX_FOUND_WORDS);
}

/** One less than the limit, because the word itself was left out of the list. */
const isCut = ({ length }: readonly SpelledWord[]): boolean => length >= MAX_COMPLETIONS - 1;

const byPages = (a: SpelledWord, b: SpelledWord): number => b.pages - a.pages || (a.word < b.word ? -1 : 1);

const pagesWith = (word: string, segments: readonly Segment[]): number =>
  segments.reduce((sum, { spellings }) => sum + spellings.pagesWith(word), 0);
