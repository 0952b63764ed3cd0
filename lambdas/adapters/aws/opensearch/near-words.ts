import * as z from 'zod';
import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { allowedEdits, MOST_NEAR_WORDS } from '../../../core/language/spelling.ts';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import { type EngineIndex, parsed, searchAll } from './engine-search.ts';
import { nearWords } from './scoped-queries.ts';
import { chunksWith } from './site-totals.ts';

/** Of one term: a query of 32 stays below the 1,024 clauses that the engine takes. */
const MOST_FORMS = 20;

const Suggestions = z.object({
  suggest: z.record(z.string(), z.array(z.object({ options: z.array(z.object({ text: z.string() })) }))),
});

/**
 * Words of a site that each of some terms may be a misspelling of, the most frequent ones. The engine suggests words of all sites;
 * those that this one does not have are dropped.
 */
export async function nearWordsOf(
  index: EngineIndex,
  scope: SiteScope,
  terms: readonly QueryTerm[],
): Promise<readonly (readonly string[])[]> {
  const words = [...new Set(terms.flatMap(({ forms }) => forms))].flatMap((word) => {
    const edits = allowedEdits(word);
    return edits === 0 ? [] : [{ word, edits }];
  });
  const suggested = await suggestions(index, scope, words);
  const distinct = [...new Set([...suggested.values()].flat())];
  const counts = await chunksWith(
    index,
    scope,
    distinct.map((word) => [word]),
  );
  const chunks = new Map(distinct.map((word, place) => [word, counts[place] ?? 0]));
  const chunksOf = (word: string) => chunks.get(word) ?? 0;
  const nearest = (form: string) =>
    (suggested.get(form) ?? [])
      .filter((word) => chunksOf(word) > 0)
      .sort((a, b) => chunksOf(b) - chunksOf(a))
      .slice(0, MOST_NEAR_WORDS);
  return terms.map(({ forms }) => [...new Set(forms.flatMap(nearest))].slice(0, MOST_FORMS));
}

async function suggestions(
  index: EngineIndex,
  scope: SiteScope,
  words: Parameters<typeof nearWords>[1],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (words.length === 0) return new Map();
  const [answer] = await searchAll(index, [nearWords(scope, words)]);
  const { suggest } = parsed(Suggestions, answer);
  return new Map(
    words.map(({ word }, place) => [
      word,
      suggest[`${place}`]?.flatMap(({ options }) => options.map(({ text }) => text)) ?? [],
    ]),
  );
}
