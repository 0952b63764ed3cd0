import * as z from 'zod';
import {
  MAX_FOUND_WORDS,
  type SpelledWord,
  type WordEntry,
  type WordQuery,
} from '../../../domain/ports/index-reader.ts';
import type { PageIndex, SiteScope } from '../../../domain/ports/page-index.ts';
import { allowedEdits } from '../../../text/words/spelling.ts';
import { type IndexRef, type MultiSearchAnswer, multiSearch, parseAnswer } from './multi-search.ts';
import { similarWords, spelledPages, wordEntries } from './scoped-queries.ts';

const Count = z.object({ doc_count: z.number() });
const Words = z.object({ buckets: z.array(z.object({ key: z.string(), doc_count: z.number() })) });
const Found = Count.extend({ sample: z.object({ words: Words }) });
const Entries = z.object({ aggregations: z.record(z.string(), z.union([Found, Count])) });
const Suggestions = z.object({
  suggest: z.record(z.string(), z.array(z.object({ options: z.array(z.object({ text: z.string() })) }))),
});
const Pages = z.object({
  aggregations: z.object({ pages: z.object({ buckets: z.array(Count) }) }),
});

/** Reading the words of all pages took 150 ms on a site of 10,000. */
const SAMPLED_PAGES = 500;
const MAX_CACHED = 5000;
/** How long an entry may be outdated, because other processes write too. */
const FRESH_MS = 10_000;

type Scopes = readonly [SiteScope, ...SiteScope[]];

/** Caches the words of sites' pages for a short time, because a person types a query letter by letter. */
export class Vocabulary {
  readonly #cache = new Map<string, { readonly entry: WordEntry; readonly at: number }>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  async lookUp(
    index: IndexRef,
    { scopes, words }: Parameters<PageIndex['vocabulary']>[0],
  ): Promise<readonly WordEntry[]> {
    const sites = scopes.map(({ siteId, generation }) => `${siteId} ${generation}`).join();
    const keyOf = (word: WordQuery) => JSON.stringify([sites, word]);
    const now = this.#clock();
    const fresh = (word: WordQuery) => {
      const cached = this.#cache.get(keyOf(word));
      return cached !== undefined && now - cached.at < FRESH_MS ? cached.entry : undefined;
    };
    const missing = words.filter((word) => fresh(word) === undefined);
    const fetched = await fetchEntries(index, scopes, missing);
    const found = new Map(missing.map((word, i) => [word, fetched[i] as WordEntry]));
    for (const [word, entry] of found) this.#add(keyOf(word), entry);
    return words.map((word) => found.get(word) ?? fresh(word) ?? NOTHING);
  }

  /** Clears the cache. Call it after a write of this process. */
  forget(): void {
    this.#cache.clear();
  }

  #add(key: string, entry: WordEntry): void {
    this.#cache.delete(key);
    this.#cache.set(key, { entry, at: this.#clock() });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
  }
}

const NOTHING: WordEntry = { isKnown: false, pages: 0, found: [] };

async function fetchEntries(
  index: IndexRef,
  scopes: Scopes,
  words: readonly WordQuery[],
): Promise<readonly WordEntry[]> {
  if (words.length === 0) return [];
  const [answer] = await multiSearch(index, [wordEntries(scopes, words, SAMPLED_PAGES)]);
  const { aggregations } = parseAnswer(Entries, answer);
  const countOf = (name: string) => {
    const found = aggregations[name];
    return found && 'doc_count' in found ? found.doc_count : 0;
  };
  const similar = await similarOf(index, scopes, words);
  const completionsOf = await completions(
    words.map((_, i) => aggregations[`found${i}`]),
    index,
    scopes,
  );
  return words.map(({ word, find }, i) => ({
    isKnown: countOf(`known${i}`) > 0,
    pages: countOf(`pages${i}`),
    found: find === 'similar' ? (similar.get(word) ?? []) : (completionsOf[i] ?? []),
  }));
}

/** Returns the most frequent words among the completions, counted in all pages. */
async function completions(
  found: readonly (z.infer<typeof Found> | z.infer<typeof Count> | undefined)[],
  index: IndexRef,
  scopes: Scopes,
): Promise<readonly (readonly SpelledWord[])[]> {
  const sampled = found.map((one) => (one && 'sample' in one ? one.sample.words.buckets : []));
  const isSample = found.some((one) => one && one.doc_count > SAMPLED_PAGES);
  const words = [...new Set(sampled.flat().map(({ key }) => key))];
  const counted = isSample ? await pagesOf(index, scopes, words) : undefined;
  return sampled.map((buckets) =>
    mostFrequent(buckets.map(({ key, doc_count }) => ({ word: key, pages: counted?.get(key) ?? doc_count }))),
  );
}

const mostFrequent = (words: readonly SpelledWord[]): readonly SpelledWord[] =>
  words.toSorted((a, b) => b.pages - a.pages || (a.word < b.word ? -1 : 1)).slice(0, MAX_FOUND_WORDS);

/**
 * Returns similar words. OpenSearch suggests words of all sites, so words that the scopes do not have are dropped: they
 * must not be revealed.
 */
async function similarOf(
  index: IndexRef,
  scopes: Scopes,
  words: readonly WordQuery[],
): Promise<ReadonlyMap<string, readonly SpelledWord[]>> {
  const unsure = words.flatMap(({ word, find }) => {
    const edits = find === 'similar' ? allowedEdits(word) : 0;
    return edits === 0 ? [] : [{ word, edits }];
  });
  if (unsure.length === 0) return new Map();
  const [answer] = await multiSearch(index, [similarWords(scopes, unsure)]).catch(nothingIfUnmapped);
  if (!answer) return new Map();
  const { suggest } = parseAnswer(Suggestions, answer);
  const suggested = unsure.map(
    (_, i) => suggest[`${i}`]?.flatMap(({ options }) => options.map(({ text }) => text)) ?? [],
  );
  const distinct = [...new Set(suggested.flat())];
  const pages = await pagesOf(index, scopes, distinct);
  return new Map(
    unsure.map(({ word }, i) => {
      const found = (suggested[i] ?? []).map((other) => ({ word: other, pages: pages.get(other) ?? 0 }));
      return [word, mostFrequent(found.filter((other) => other.pages > 0 && other.word !== word))];
    }),
  );
}

/** Returns nothing if the index has an earlier layout without spellings. It is searched until its reindexing ends. */
function nothingIfUnmapped(error: unknown): readonly MultiSearchAnswer[] {
  if (error instanceof Error && error.message.includes('no mapping found for field [spellings]')) return [];
  throw error;
}

async function pagesOf(
  index: IndexRef,
  scopes: Scopes,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (words.length === 0) return new Map();
  const [answer] = await multiSearch(index, [spelledPages(scopes, words)]);
  const { buckets } = parseAnswer(Pages, answer).aggregations.pages;
  return new Map(words.map((word, i) => [word, buckets[i]?.doc_count ?? 0]));
}
