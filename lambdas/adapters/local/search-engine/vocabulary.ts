import {
  MAX_FOUND_WORDS,
  type PageIndex,
  type SpelledWord,
  type WordEntry,
  type WordQuery,
} from '../../../core/ports/page-index.ts';
import { postingsOfAny } from './lexical-scorer.ts';
import type { Segment } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';

export function vocabularyReader(
  cache: SegmentCache,
): (query: Parameters<PageIndex['vocabulary']>[0]) => readonly WordEntry[] {
  return ({ scopes, words }) => {
    const segments = cache.of(scopes).flatMap(({ segments: ofSite }) => ofSite);
    return words.map((word) => entryOf(word, segments));
  };
}

function entryOf(query: WordQuery, segments: readonly Segment[]): WordEntry {
  const isKnown = segments.some((segment) => {
    const ids = query.forms.flatMap((form) => segment.lexicon.idOf(form) ?? []);
    return postingsOfAny(ids, segment).length > 0;
  });
  const found = new Set(segments.flatMap((segment) => foundIn(segment, query)).map(({ word }) => word));
  return { isKnown, pages: pagesWith(query.word, segments), found: mostFrequent(found, segments) };
}

function foundIn({ spellings }: Segment, { word, find }: WordQuery): readonly SpelledWord[] {
  if (find === 'similar') return spellings.similarTo(word);
  if (find === 'completions') return spellings.completionsOf(word);
  return find === 'similarCompletions' ? spellings.similarCompletionsOf(word) : [];
}

function mostFrequent(found: ReadonlySet<string>, segments: readonly Segment[]): readonly SpelledWord[] {
  const words = Array.from(found, (word) => ({ word, pages: pagesWith(word, segments) }));
  words.sort((a, b) => b.pages - a.pages || (a.word < b.word ? -1 : 1));
  return words.slice(0, MAX_FOUND_WORDS);
}

const pagesWith = (word: string, segments: readonly Segment[]): number =>
  segments.reduce((sum, { spellings }) => sum + spellings.pagesWith(word), 0);
