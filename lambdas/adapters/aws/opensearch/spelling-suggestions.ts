import * as z from 'zod';
import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { allowedEdits, MOST_CORRECTIONS } from '../../../core/language/spelling.ts';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import { type IndexRef, multiSearch, parseAnswer } from './multi-search.ts';
import { similarWords } from './scoped-queries.ts';
import { documentFrequencies } from './site-totals.ts';

/** Per term. With 32 terms a query stays below OpenSearch's limit of 1,024 clauses. */
const MAX_SUGGESTIONS = 20;

const Suggestions = z.object({
  suggest: z.record(z.string(), z.array(z.object({ options: z.array(z.object({ text: z.string() })) }))),
});

/**
 * For each term, the most frequent words of the site that it may be a misspelling of. OpenSearch suggests words of
 * all sites, so those that the scope does not have are dropped: they must not be revealed.
 */
export async function spellingSuggestions(
  index: IndexRef,
  scope: SiteScope,
  terms: readonly QueryTerm[],
): Promise<readonly (readonly string[])[]> {
  const forms = new Set(terms.flatMap((term) => term.forms));
  const suggested = await suggestionsInIndex(index, scope, [...forms]);
  const words = [...new Set([...suggested.values()].flat())];
  const counts = await documentFrequencies(
    index,
    scope,
    words.map((word) => [word]),
  );
  const frequencies = new Map(words.map((word, i) => [word, counts[i] ?? 0]));
  const frequencyOf = (word: string) => frequencies.get(word) ?? 0;
  const mostFrequent = (form: string) =>
    (suggested.get(form) ?? [])
      .filter((word) => frequencyOf(word) > 0)
      .sort((a, b) => frequencyOf(b) - frequencyOf(a))
      .slice(0, MOST_CORRECTIONS);
  return terms.map((term) => [...new Set(term.forms.flatMap(mostFrequent))].slice(0, MAX_SUGGESTIONS));
}

async function suggestionsInIndex(
  index: IndexRef,
  scope: SiteScope,
  forms: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = forms.flatMap((word) => {
    const edits = allowedEdits(word);
    return edits === 0 ? [] : [{ word, edits }];
  });
  if (words.length === 0) return new Map();
  const [answer] = await multiSearch(index, [similarWords(scope, words)]);
  const { suggest } = parseAnswer(Suggestions, answer);
  return new Map(
    words.map(({ word }, i) => [
      word,
      suggest[`${i}`]?.flatMap(({ options }) => options.map(({ text }) => text)) ?? [],
    ]),
  );
}
