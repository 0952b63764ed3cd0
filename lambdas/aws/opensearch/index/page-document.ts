import type { IndexEntry, IndexedChunk, PageRef } from '../../../domain/ports/page-index.ts';
import { pathOf } from '../../../text/web/url.ts';
import { VECTOR_BLOCKS } from '../../../text/words/cosine-scale.ts';
import { chunkKey, occurrenceKey, packTerms, termHash } from './term-occurrences.ts';

const MAX_CHUNKS = 1000;
/** Vectors keep four decimals: the cosine of two vectors is off by less than 0.0001. */
const SCALE = 10_000;
const MAX_TITLE_LENGTH = 1000;

/** Returns an id that includes site and generation, because sites share an index. */
export const documentId = ({ siteId, generation, urlHash }: PageRef): string => `${siteId}:${generation}:${urlHash}`;

/**
 * Returns the path after the site's id. Prefix queries on `path` and `aliasPaths` thus scan the paths of one site only.
 */
export const scopedPath = (siteId: string, path: string): string => siteId + path;

/** Returns title and URL in lower case, which `PageIndex.find` searches. */
const searchableText = ({ title, url }: IndexEntry): string =>
  `${title.slice(0, MAX_TITLE_LENGTH)}\n${url}`.toLowerCase();

/**
 * Returns a 32-bit hash of page and revision. The sum of a site's stamps identifies its version; it is exact up to 2
 * million pages.
 */
const stamp = ({ urlHash, revision }: IndexEntry): number => Math.floor(termHash(`${urlHash} ${revision}`) / 256);

/** Returns the document of a page. Its fields are defined in index-mapping.ts. */
export function pageDocument(entry: IndexEntry, dimensions: number): object {
  const { siteId, generation, urlHash, revision, title, titleTerms, titleSpellings, titleLength } = entry;
  const { summary, language, tags, facts, url, aliases, metadata, publishedAt, crawledAt } = entry;
  const chunks = entry.chunks.slice(0, MAX_CHUNKS);
  const block = chunks.find(({ embedded }) => embedded)?.embedded?.block;
  const titled = new Set(titleTerms);
  return {
    siteId,
    generation,
    urlHash,
    revision,
    url,
    title,
    titleLength,
    summary,
    language,
    tags,
    facts,
    metadata: metadata && JSON.stringify(metadata),
    publishedAt,
    crawledAt,
    block,
    path: scopedPath(siteId, pathOf(url)),
    aliases,
    aliasPaths: aliases.map((alias) => scopedPath(siteId, pathOf(alias))),
    sought: searchableText(entry),
    suggestion: title.slice(0, MAX_TITLE_LENGTH),
    titleWords: titleTerms.join(' '),
    titleSpellings,
    spellings: entry.spellings,
    stamp: stamp(entry),
    chunkCount: chunks.length,
    length: chunks.reduce((sum, chunk) => sum + chunk.terms.flat().length, 0),
    chunks: chunks.map((chunk) => ({
      key: chunkKey(documentId(entry), chunk.ord),
      page: occurrenceKey(documentId(entry)),
      titleLength,
      ...chunkDocument(chunk, titled, dimensions),
    })),
  };
}

function chunkDocument(
  { ord, terms, labelled, linkShare, headings, sections, text, embedded }: IndexedChunk,
  titleTerms: ReadonlySet<string>,
  dimensions: number,
) {
  return {
    ord,
    headings,
    text,
    length: terms.flat().length,
    linkShare: Math.round(linkShare * 100),
    sections: sections.map(({ line, heading, anchor }) => JSON.stringify([line, heading, anchor])),
    words: terms.flat().join(' '),
    labels: labelled.map(({ term }) => term).join(' '),
    terms: packTerms(terms, labelled, titleTerms),
    block: embedded && VECTOR_BLOCKS.indexOf(embedded.block),
    vector: embedded && storedVector(embedded.vector, dimensions),
  };
}

/** Returns undefined for a vector of another length or of length zero: OpenSearch would reject the whole page. */
export function storedVector(vector: Float32Array, dimensions: number): readonly number[] | undefined {
  if (vector.length !== dimensions) return undefined;
  const numbers = Array.from(vector, (number) => Math.round(number * SCALE) / SCALE);
  return numbers.every(Number.isFinite) && numbers.some((number) => number !== 0) ? numbers : undefined;
}
