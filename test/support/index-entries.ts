import { randomUUID } from 'node:crypto';
import { spellingsOf } from '../../lambdas/domain/pages/index-entry.ts';
import type { EmbeddedText } from '../../lambdas/domain/ports/embedder.ts';
import type { IndexEntry, IndexedChunk, SiteScope } from '../../lambdas/domain/ports/page-index.ts';
import { LabelReader } from '../../lambdas/text/words/labels.ts';
import { titleLength } from '../../lambdas/text/words/query-terms.ts';
import { indexedTerms, type Term, type TermsByPosition, termsByPosition } from '../../lambdas/text/words/terms.ts';

const TABLE_DIMENSIONS = 256;
const DIMENSIONS = 384;

export type PageParts = Partial<Omit<IndexEntry, 'chunks'>> & {
  /** One per chunk, as are `embedded` and `linkShares`. */
  readonly texts?: readonly string[];
  readonly embedded?: readonly (EmbeddedText | undefined)[];
  readonly linkShares?: readonly number[];
  readonly sections?: readonly IndexedChunk['sections'][];
};

export const newScope = (generation = 1): SiteScope => ({ siteId: randomUUID(), generation });

const STEMMED_AS = 'en';

/** A page as a crawl indexes it, except that its terms are stemmed as English in any language. */
export function indexEntry(
  scope: SiteScope,
  { texts = [], embedded = [], linkShares = [], sections = [], ...parts }: PageParts = {},
): IndexEntry {
  const { title = 'Untitled', urlHash = randomUUID() } = parts;
  return {
    ...scope,
    urlHash,
    revision: 1,
    url: `https://example.org/${urlHash}`,
    aliases: [],
    title,
    titleTerms: termsByPosition(title, STEMMED_AS).flat(),
    titleSpellings: spellingsOf(indexedTerms(title, '').spelled),
    titleLength: titleLength(title, STEMMED_AS),
    language: 'en',
    tags: [],
    facts: [],
    crawledAt: '2026-01-01T00:00:00.000Z',
    spellings: spellingsOf([title, ...texts].flatMap((text) => indexedTerms(text, '').spelled)),
    ...parts,
    chunks: texts.map((text, ord) => ({
      ord,
      headings: [],
      text,
      sections: sections[ord] ?? [],
      terms: termsByPosition(`${title}\n${text}`, STEMMED_AS),
      labelled: new LabelReader(STEMMED_AS).termsOf({ headings: [], text }),
      linkShare: linkShares[ord] ?? 0,
      embedded: embedded[ord],
    })),
  };
}

export const placed = (terms: TermsByPosition = []): readonly Pick<Term, 'term' | 'position'>[] =>
  terms.flatMap((beside, position) => beside.map((term) => ({ term, position })));

/** A unit vector at an angle (degrees) in one plane of the block, so cosines follow from angles. */
export function embeddedAt(degrees: number, block: 'table' | 'hash' = 'table'): EmbeddedText {
  return { block, vector: vectorAt(degrees, block) };
}

/** A query has both blocks, so it matches pages of either. */
export function queryVectorAt(degrees: number): Float32Array {
  const hash = vectorAt(degrees, 'hash');
  return vectorAt(degrees, 'table').map((number, index) => number + (hash[index] ?? 0));
}

export const cosineOf = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

function vectorAt(degrees: number, block: 'table' | 'hash'): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const first = block === 'table' ? 7 : TABLE_DIMENSIONS + 7;
  vector[first] = cosineOf(degrees);
  vector[first + 50] = Math.sin((degrees * Math.PI) / 180);
  return vector;
}
