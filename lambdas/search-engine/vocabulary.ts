import { MAX_FOUND_WORDS, type SpelledWord, type WordEntry, type WordQuery } from '../domain/ports/index-reader.ts';
import { WordPostings } from './lexical-scorer.ts';
import type { Segment } from './segment.ts';
import { MAX_COMPLETIONS } from './spellings.ts';

/** Looks a word up in all segments. */
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

/**
 * Merges the words found in each segment. Recounts their pages only if a list was cut, because a group of sites has
 * about 100 segments.
 */
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

/** Allows for one entry less than the limit: a list omits the word itself. */
const isCut = ({ length }: readonly SpelledWord[]): boolean => length >= MAX_COMPLETIONS - 1;

const byPages = (a: SpelledWord, b: SpelledWord): number => b.pages - a.pages || (a.word < b.word ? -1 : 1);

const pagesWith = (word: string, segments: readonly Segment[]): number =>
  segments.reduce((sum, { spellings }) => sum + spellings.pagesWith(word), 0);
