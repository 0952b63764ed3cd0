import type { DatabaseSync } from 'node:sqlite';
import type { QueryTerm } from '../../../core/language/query-terms.ts';
import { termMatches } from '../../../core/language/term-matches.ts';
import type { VectorBlock } from '../../../core/search/ranking.ts';
import type { CandidateChunk, CandidateQuery, Candidates, PageCandidate, SiteScope } from '../../ports.ts';
import { type IndexSpace, type IndexSpaces, wordsTable } from './index-space.ts';
import { TermFinder, wordTest } from './packed-terms.ts';
import { allOf, filterCondition, groupCondition, type PageCondition } from './page-conditions.ts';
import type { VectorCache } from './vector-cache.ts';
import { anyOfTerms, type Vocabulary } from './vocabulary.ts';

/** Candidates of a group of pages, beside those of all. */
const MOST_OF_GROUP = 200;
/** Several chunks of a page may be among the best: twice as many are taken, and again as long as too few pages have come. */
const CHUNKS_PER_PAGE = 2;
const MOST_ROUNDS = 5;
const LARGEST_FREQUENCY = 255;

type Deps = {
  readonly database: DatabaseSync;
  readonly spaces: IndexSpaces;
  readonly vectors: VectorCache;
  readonly vocabulary: Vocabulary;
};

/** The query as one site knows its words. */
type SiteQuery = {
  readonly terms: readonly QueryTerm[];
  readonly typos: readonly boolean[];
  readonly documentFrequency: readonly number[];
};

type Picked = {
  readonly chunks: ReadonlySet<number>;
  readonly hasMore: boolean;
  readonly cosineOf: (chunk: number) => number | undefined;
};

type ChunkRow = {
  readonly id: number;
  readonly page: number;
  readonly ord: number;
  readonly length: number;
  readonly terms: string;
  readonly block: VectorBlock | null;
};
type PageRow = {
  readonly id: number;
  readonly url_hash: string;
  readonly url: string;
  readonly tags: string;
  readonly facts: string;
  readonly title_terms: string;
  readonly title_length: number;
  readonly words: string;
};

/** Finds what may answer a query, and the evidence for it. */
export function candidateFinder(deps: Deps): (query: CandidateQuery) => Candidates {
  const evidence = evidenceReader(deps);
  return (query) => {
    const statistics = new Map<string, Candidates['statistics'] extends ReadonlyMap<string, infer S> ? S : never>();
    const pages: PageCandidate[] = [];
    let hasMore = false;
    for (const scope of query.scopes) {
      const space = deps.spaces.find(scope);
      const site = space && siteQuery(query.terms, space, deps.vocabulary);
      statistics.set(scope.siteId, {
        chunks: space?.chunks ?? 0,
        averageLength: space && space.chunks > 0 ? space.terms / space.chunks : 0,
        documentFrequency: site?.documentFrequency ?? query.terms.map(() => 0),
        typos: site?.typos ?? query.terms.map(() => false),
      });
      if (!space || !site) continue;
      const picked = pick(query, site, space, deps);
      hasMore ||= picked.hasMore;
      pages.push(...evidence(scope, site, picked));
    }
    return { statistics, pages, hasMore };
  };
}

function siteQuery(terms: readonly QueryTerm[], space: IndexSpace, vocabulary: Vocabulary): SiteQuery {
  const documentFrequency = terms.map(({ forms }) => vocabulary.chunksWith(forms, space));
  const near = terms.map(({ forms, question }, place) =>
    question || (documentFrequency[place] ?? 0) > 0
      ? []
      : [...new Set(forms.flatMap((form) => vocabulary.near(form, space)))],
  );
  return {
    documentFrequency,
    typos: near.map((words) => words.length > 0),
    terms: terms.map((term, place) => (near[place]?.length ? { ...term, forms: near[place] } : term)),
  };
}

/** The best chunks by words and the best by vector, of all pages and of each group. */
function pick(query: CandidateQuery, site: SiteQuery, space: IndexSpace, deps: Deps): Picked {
  const filters = query.filters.map(filterCondition);
  const rounds = [
    { conditions: filters, size: query.size },
    ...query.groups.map((group) => ({
      conditions: [...filters, groupCondition(group)],
      size: Math.min(query.size, MOST_OF_GROUP),
    })),
  ];
  const scan = query.vector && deps.vectors.matrixOf(space).scan(query.vector);
  const chunks = new Set<number>();
  let hasMore = false;
  for (const [round, { conditions, size }] of rounds.entries()) {
    const found = byWords(site.terms, size, conditions, space, deps);
    for (const chunk of found.chunks) chunks.add(chunk);
    if (round === 0) hasMore = found.hasMore;
    const admitted = conditions.length > 0 ? pagesWith(conditions, space, deps.database) : undefined;
    for (const { chunk } of scan?.nearest(size, (page) => admitted?.has(page) ?? true) ?? []) chunks.add(chunk);
  }
  return { chunks, hasMore, cosineOf: (chunk) => scan?.cosineOf(chunk) };
}

function byWords(
  terms: readonly QueryTerm[],
  size: number,
  conditions: readonly PageCondition[],
  space: IndexSpace,
  { spaces, database }: Deps,
) {
  const sought = [...new Set(terms.filter(({ question }) => !question).flatMap(({ forms }) => forms))];
  if (sought.length === 0) return { chunks: [], hasMore: false };
  const { sql, values } = bestByWords(wordsTable(space.id), conditions);
  const statement = spaces.statement(sql);
  for (let round = 1, limit = size * CHUNKS_PER_PAGE; ; round++, limit *= CHUNKS_PER_PAGE) {
    const found = statement.all(anyOfTerms(sought), ...values, limit).map(({ id }) => Number(id));
    const best = bestOfPages(found, database);
    const isAll = found.length < limit;
    if (isAll || best.length >= size || round === MOST_ROUNDS) {
      return { chunks: best.slice(0, size), hasMore: !isAll || best.length > size };
    }
  }
}

function bestOfPages(chunks: readonly number[], database: DatabaseSync): readonly number[] {
  const pageOf = pagesOf(chunks, database);
  const best = new Map<number, number>();
  for (const chunk of chunks) {
    const page = pageOf.get(chunk);
    if (page !== undefined && !best.has(page)) best.set(page, chunk);
  }
  return [...best.values()];
}

/** FTS5 sorts by itself where nothing is joined; a condition needs the page of every chunk that has a word. */
function bestByWords(table: string, conditions: readonly PageCondition[]): PageCondition {
  const order = 'ORDER BY w.rank LIMIT ?';
  if (conditions.length === 0)
    return { sql: `SELECT w.rowid AS id FROM ${table} w WHERE ${table} MATCH ? ${order}`, values: [] };
  const { sql, values } = allOf(conditions);
  const joined = `${table} w JOIN index_chunk c ON c.id = w.rowid JOIN index_page p ON p.id = c.page`;
  return { sql: `SELECT w.rowid AS id FROM ${joined} WHERE ${table} MATCH ?${sql} ${order}`, values };
}

function pagesOf(chunks: readonly number[], database: DatabaseSync): ReadonlyMap<number, number> {
  const rows = database
    .prepare('SELECT id, page FROM index_chunk WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(chunks));
  return new Map(rows.map(({ id, page }) => [Number(id), Number(page)]));
}

function pagesWith(
  conditions: readonly PageCondition[],
  { id }: IndexSpace,
  database: DatabaseSync,
): ReadonlySet<number> {
  const { sql, values } = allOf(conditions);
  const rows = database.prepare(`SELECT p.id FROM index_page p WHERE p.space = ?${sql}`).all(id, ...values);
  return new Set(rows.map((row) => Number(row.id)));
}

function evidenceReader({ database }: Deps) {
  const chunkRows = database.prepare(
    'SELECT id, page, ord, length, terms, block FROM index_chunk WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
  );
  const pageRows = database.prepare(
    `SELECT id, url_hash, url, tags, facts, title_terms, title_length, words FROM index_page
     WHERE id IN (SELECT value FROM json_each(?))`,
  );
  return (scope: SiteScope, { terms }: SiteQuery, { chunks, cosineOf }: Picked): readonly PageCandidate[] => {
    const rows = chunkRows.all(JSON.stringify([...chunks])) as unknown as readonly ChunkRow[];
    const byPage = Map.groupBy(rows, ({ page }) => page);
    const pages = pageRows.all(JSON.stringify([...byPage.keys()])) as unknown as readonly PageRow[];
    const tests = terms.map(({ forms }) => wordTest(forms));
    const finder = new TermFinder(new Set(terms.flatMap(({ forms }) => forms)));
    return pages.map((page) => {
      const own = byPage.get(page.id) ?? [];
      return {
        ...scope,
        urlHash: page.url_hash,
        url: page.url,
        tags: JSON.parse(page.tags),
        facts: JSON.parse(page.facts),
        titleLength: page.title_length,
        inTitle: tests.map((has) => has(page.title_terms)),
        inPage: tests.map((has) => has(page.words)),
        block: own.find(({ block }) => block !== null)?.block ?? 'table',
        chunks: own.map((chunk) => chunkEvidence(chunk, terms, finder, cosineOf(chunk.id))),
      };
    });
  };
}

function chunkEvidence(
  chunk: ChunkRow,
  terms: readonly QueryTerm[],
  finder: TermFinder,
  cosine: number | undefined,
): CandidateChunk {
  const { frequencies, phrase } = termMatches(terms, finder.find(chunk.terms));
  return {
    ord: chunk.ord,
    length: chunk.length,
    frequencies: frequencies.map((frequency) => Math.min(frequency, LARGEST_FREQUENCY)),
    phrase,
    ...(cosine !== undefined && { cosine }),
  };
}
