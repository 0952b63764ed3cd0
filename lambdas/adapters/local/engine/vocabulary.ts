import {
  MAX_FOUND_WORDS,
  type PageIndex,
  type SpelledWord,
  type WordEntry,
  type WordQuery,
} from '../../../core/ports/page-index.ts';
import type { IndexCache } from './index-cache.ts';
import { postingsOfAny } from './lexical-scorer.ts';
import type { PartitionIndex } from './partition-index.ts';
import type { PartitionRows } from './partition-rows.ts';
import { spelledTerm } from './spellings.ts';

export function vocabularyReader(
  partitions: PartitionRows,
  cache: IndexCache,
): (query: Parameters<PageIndex['vocabulary']>[0]) => readonly WordEntry[] {
  return ({ scopes, words }) => {
    const found = partitions.findAll(scopes);
    const indexes = found.flatMap((partition) => (partition ? [cache.indexOf(partition)] : []));
    return words.map((word) => entryOf(word, indexes));
  };
}

function entryOf(query: WordQuery, indexes: readonly PartitionIndex[]): WordEntry {
  const isKnown = indexes.some((index) => {
    const ids = query.forms.flatMap((form) => index.lexicon.idOf(form) ?? []);
    return postingsOfAny(ids, index).length > 0;
  });
  const spelled = spelledTerm(query.word);
  const pages = indexes.reduce((sum, index) => sum + index.pages.spellings.pagesWith(spelled), 0);
  return { isKnown, pages, found: mostFrequent(indexes.map((index) => foundIn(index, query))) };
}

function foundIn({ pages: { spellings } }: PartitionIndex, { word, find }: WordQuery): readonly SpelledWord[] {
  if (find === 'similar') return spellings.similarTo(word);
  if (find === 'completions') return spellings.completionsOf(word);
  return find === 'similarCompletions' ? spellings.similarCompletionsOf(word) : [];
}

function mostFrequent(bySite: readonly (readonly SpelledWord[])[]): readonly SpelledWord[] {
  const pages = new Map<string, number>();
  for (const found of bySite) for (const one of found) pages.set(one.word, (pages.get(one.word) ?? 0) + one.pages);
  const words = Array.from(pages, ([word, count]) => ({ word, pages: count }));
  words.sort((a, b) => b.pages - a.pages || (a.word < b.word ? -1 : 1));
  return words.slice(0, MAX_FOUND_WORDS);
}
