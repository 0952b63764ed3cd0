import { cut } from '../../../core/language/folding.ts';
import type { PageFilter, PageGroup, Phrase, SiteScope } from '../../../core/ports/page-index.ts';
import { scopedPath } from './page-document.ts';
import { HAS_PHRASE, HAS_TEXT } from './scripts.ts';
import { BELOW_POSITION, termHash } from './term-places.ts';

const LONGEST_PATTERN = 60;

/** A part of a query, as the engine's own language has it. */
export type Clause = Readonly<Record<string, unknown>>;

/** Every one holds. */
export const allOf = (filter: readonly Clause[]): Clause => ({ bool: { filter } });
const anyOf = (should: readonly Clause[]): Clause => ({ bool: { should, minimum_should_match: 1 } });
const noneOf = (mustNot: readonly Clause[]): Clause => ({ bool: { must_not: mustNot } });

/** The pages of a site's generation and no others. */
export const ofScope = ({ siteId, generation }: SiteScope): readonly Clause[] => [
  { term: { siteId } },
  { term: { generation } },
];

/** One of the chunks has this; a bare clause on a chunk's field would match no page. */
export const inChunk = (query: Clause): Clause => ({ nested: { path: 'chunks', query, score_mode: 'none' } });

export const hasTerm = (terms: readonly string[]): Clause => ({ terms: { 'chunks.words': terms } });

export function filterClause(filter: PageFilter): Clause {
  if ('anyOf' in filter) return { terms: { [filter.field]: filter.anyOf } };
  return { range: { [filter.field]: { gte: filter.from, lte: filter.to } } };
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

/** A chunk has the words next to each other; the index finds the chunks that have them all, and the script looks where. */
function phraseClause(phrase: Phrase): Clause {
  const words = phrase.map(hasTerm);
  if (phrase.length < 2) return inChunk(allOf(words));
  const params = { words: phrase.map((terms) => terms.map(termHash)), below: BELOW_POSITION };
  return inChunk(allOf([...words, { script: { script: { source: HAS_PHRASE, params } } }]));
}

/** A page's title or URL has a text, in lower case. The engine refuses long patterns that repeat themselves: a script looks for their rest. */
export function hasText(text: string): readonly Clause[] {
  const start = cut(text, LONGEST_PATTERN);
  const wildcard = { sought: { value: `*${start.replace(/[\\*?]/g, '\\$&')}*` } };
  const whole = { script: { script: { source: HAS_TEXT, params: { text } } } };
  return start === text ? [{ wildcard }] : [{ wildcard }, whole];
}

export type PageTests = {
  readonly filters: readonly PageFilter[];
  readonly requiredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
};

/** What a page must be and have besides being in the scope. */
export const pageTests = ({ filters, requiredPhrases, excludedPhrases }: PageTests): readonly Clause[] => [
  ...filters.map(filterClause),
  ...requiredPhrases.map(phraseClause),
  ...(excludedPhrases.length > 0 ? [noneOf(excludedPhrases.map(phraseClause))] : []),
];
