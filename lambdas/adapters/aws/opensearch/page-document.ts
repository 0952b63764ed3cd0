import type { IndexEntry, IndexedChunk, PageRef } from '../../../core/ports/page-index.ts';
import { chunkKey, packPlaces, packWords, termHash } from './term-places.ts';

const MOST_CHUNKS = 1000;
/** Digits after the point: the cosine of two vectors is off by less than 0.0001. */
const SCALE = 10_000;
const LONGEST_TITLE = 1000;

/** A page's document is its own whatever its index holds besides: the id names the site and its generation. */
export const documentId = ({ siteId, generation, urlHash }: PageRef): string => `${siteId}:${generation}:${urlHash}`;

/** What `path` holds: it begins with the site, so that a search for a beginning walks over the paths of one site only. */
export const scopedPath = (siteId: string, path: string): string => siteId + path;

/** What `find` looks through. */
const soughtIn = ({ title, url }: IndexEntry): string => `${title.slice(0, LONGEST_TITLE)}\n${url}`.toLowerCase();

/** A number of 32 bits: the sum over a site's 200,000 pages is exact, and tells which pages in which revisions it has. */
const stamp = ({ urlHash, revision }: IndexEntry): number => Math.floor(termHash(`${urlHash} ${revision}`) / 256);

/** A page as the engine keeps it (index-mapping.ts). */
export function pageDocument(entry: IndexEntry, dimensions: number): object {
  const { siteId, generation, urlHash, revision, title, titleTerms, titleLength, summary, language, tags, facts } =
    entry;
  const { url, metadata, publishedAt, crawledAt } = entry;
  const chunks = entry.chunks.slice(0, MOST_CHUNKS);
  const block = chunks.find(({ embedded }) => embedded)?.embedded?.block;
  const words = function* () {
    yield* titleTerms;
    for (const { terms } of chunks) yield* terms.flat();
  };
  return {
    ...{ siteId, generation, urlHash, revision, url, title, titleLength, summary, language },
    ...{ tags, facts, metadata: metadata && JSON.stringify(metadata), publishedAt, crawledAt, block },
    path: scopedPath(siteId, url.slice(URL.parse(url)?.origin.length ?? 0)),
    sought: soughtIn(entry),
    stamp: stamp(entry),
    terms: packWords(words(), new Set(titleTerms)),
    chunkCount: chunks.length,
    length: chunks.reduce((sum, { terms }) => sum + terms.flat().length, 0),
    chunks: chunks.map((chunk) => ({
      key: chunkKey(documentId(entry), chunk.ord),
      ...chunkDocument(chunk, dimensions),
    })),
  };
}

function chunkDocument(
  { ord, terms, labelled, linkShare, headings, text, embedded }: IndexedChunk,
  dimensions: number,
) {
  return {
    ...{ ord, headings, text },
    length: terms.flat().length,
    linkShare: Math.round(linkShare * 100),
    words: terms.flat().join(' '),
    terms: packPlaces(terms, labelled),
    vector: embedded && shortVector(embedded.vector, dimensions),
  };
}

/** Undefined for a vector that the engine would refuse, and its page with it: of another length, without a direction. */
export function shortVector(vector: Float32Array, dimensions: number): readonly number[] | undefined {
  if (vector.length !== dimensions) return undefined;
  const numbers = Array.from(vector, (number) => Math.round(number * SCALE) / SCALE);
  return numbers.every(Number.isFinite) && numbers.some((number) => number !== 0) ? numbers : undefined;
}
