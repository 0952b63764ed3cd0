import type { PageFilter, Phrase, TitleQuery } from '../../../domain/ports/index-reader.ts';
import type { PageRef, SiteScope } from '../../../domain/ports/page-index.ts';
import { cut } from '../../../text/words/folding.ts';
import { allowedEdits, MAX_BEGINNING_LENGTH } from '../../../text/words/spelling.ts';
import { documentId, scopedPath } from '../index/page-document.ts';
import { termHash } from '../index/term-occurrences.ts';
import { HAS_PHRASE, HAS_TEXT } from './scripts.ts';

const MAX_PATTERN_LENGTH = 60;

/** Pages that have one of the tags or prefixes; with `inside: false`, all other pages. */
export type PageGroup = {
  readonly inside: boolean;
  readonly tags: readonly string[];
  readonly urlPrefixes: readonly string[];
  /** Prefixes of a URL's path and query. */
  readonly pathPrefixes: readonly string[];
};

export type Clause = Readonly<Record<string, unknown>>;

export const allOf = (filter: readonly Clause[]): Clause => ({ bool: { filter } });
export const anyOf = (should: readonly Clause[]): Clause => ({ bool: { should, minimum_should_match: 1 } });
const noneOf = (mustNot: readonly Clause[]): Clause => ({ bool: { must_not: mustNot } });

/** Returns a clause that excludes the pages; an empty list if there are none. */
export const exceptPages = (scope: SiteScope, pages: readonly Pick<PageRef, 'urlHash'>[]): readonly Clause[] =>
  pages.length > 0
    ? [noneOf([{ ids: { values: pages.map(({ urlHash }) => documentId({ ...scope, urlHash })) } }])]
    : [];

export const ofScope = ({ siteId, generation }: SiteScope): readonly Clause[] => [
  { term: { siteId } },
  { term: { generation } },
];

/** Wraps a clause on a chunk's field. Chunks are nested documents, so the bare clause would match no page. */
export const inChunk = (query: Clause): Clause => ({ nested: { path: 'chunks', query, score_mode: 'none' } });

export const hasTerm = (terms: readonly string[]): Clause => ({ terms: { 'chunks.words': terms } });

export function filterClause(filter: PageFilter, scope: SiteScope): Clause {
  if (filter.field === 'any') return anyOf(filter.of.map((part) => filterClause(part, scope)));
  if (filter.field === 'url') return addressClause(filter, scope);
  if ('anyOf' in filter) return { terms: { [filter.field]: filter.anyOf } };
  return { range: { [filter.field]: { gte: filter.from, lte: filter.to } } };
}

function addressClause(
  { urlPrefixes, pathPrefixes }: Extract<PageFilter, { readonly field: 'url' }>,
  { siteId }: SiteScope,
): Clause {
  const prefixes = (value: string, fields: readonly string[]) =>
    fields.map((field) => ({ prefix: { [field]: value } }));
  const addresses = [
    ...urlPrefixes.flatMap((prefix) => prefixes(prefix, ['url', 'aliases'])),
    ...pathPrefixes.flatMap((prefix) => prefixes(scopedPath(siteId, prefix), ['path', 'aliasPaths'])),
  ];
  return addresses.length > 0 ? anyOf(addresses) : { match_none: {} };
}

export function groupClause({ inside, tags, urlPrefixes, pathPrefixes }: PageGroup, { siteId }: SiteScope): Clause {
  const members: readonly Clause[] = [
    ...(tags.length > 0 ? [{ terms: { tags } }] : []),
    ...urlPrefixes.map((prefix) => ({ prefix: { url: prefix } })),
    ...pathPrefixes.map((prefix) => ({ prefix: { path: scopedPath(siteId, prefix) } })),
  ];
  if (members.length === 0) return inside ? { match_none: {} } : { match_all: {} };
  return inside ? anyOf(members) : noneOf(members);
}

/** Matches chunks with a phrase. The index finds chunks that have all words; the script compares their positions. */
function phraseClause(phrase: Phrase): Clause {
  const words = phrase.map(hasTerm);
  if (phrase.length < 2) return inChunk(allOf(words));
  const params = { words: phrase.map((terms) => terms.map(termHash)) };
  return inChunk(allOf([...words, { script: { script: { source: HAS_PHRASE, params } } }]));
}

const BEGINNINGS = 'titleSpellings.beginnings';

/** Returns one clause for each word that a title must have. The last word may be the beginning of a longer one. */
export const titleClauses = (words: TitleQuery['words'], { withTypos }: { withTypos: boolean }): readonly Clause[] =>
  words.map(({ word, forms }, i) => {
    const isLast = i === words.length - 1;
    const mistyped = isLast ? mistypedBeginning(word) : [fuzzy('titleSpellings', { value: word })];
    return anyOf([
      { terms: { titleWords: forms } },
      ...(isLast ? [{ term: { [BEGINNINGS]: word } }] : []),
      ...(withTypos && allowedEdits(word) > 0 ? mistyped : []),
    ]);
  });

/** Matches beginnings with one typo. The first letter must be right, unless it is swapped with the second. */
function mistypedBeginning(word: string): readonly Clause[] {
  const value = cut(word, MAX_BEGINNING_LENGTH);
  const [first = '', second = '', ...others] = value;
  const swapped = { term: { [BEGINNINGS]: [second, first, ...others].join('') } };
  return [swapped, fuzzy(BEGINNINGS, { value, prefix_length: 1 })];
}

const fuzzy = (field: string, word: { readonly value: string; readonly prefix_length?: number }): Clause => ({
  fuzzy: { [field]: { ...word, fuzziness: 1, rewrite: 'constant_score' } },
});

/**
 * Matches `text`, which is in lower case. OpenSearch rejects long repetitive patterns, so a script compares the whole
 * text.
 */
export function textClause(text: string): readonly Clause[] {
  const start = cut(text, MAX_PATTERN_LENGTH);
  const wildcard = { sought: { value: `*${start.replace(/[\\*?]/g, '\\$&')}*` } };
  const whole = { script: { script: { source: HAS_TEXT, params: { text } } } };
  return start === text ? [{ wildcard }] : [{ wildcard }, whole];
}

export type PageTests = {
  readonly filters: readonly PageFilter[];
  readonly requiredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
};

export const pageTests = (
  { filters, requiredPhrases, excludedPhrases }: PageTests,
  scope: SiteScope,
): readonly Clause[] => [
  ...filters.map((filter) => filterClause(filter, scope)),
  ...requiredPhrases.map(phraseClause),
  ...(excludedPhrases.length > 0 ? [noneOf(excludedPhrases.map(phraseClause))] : []),
];
