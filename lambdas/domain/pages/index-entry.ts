import { type Chunk, chunkPage, MAX_CHUNKS } from '../../text/chunking/chunks.ts';
import { defined } from '../../text/defined.ts';
import { dateKey, metadataFacts } from '../../text/fields/facts.ts';
import type { PageContent } from '../../text/page-content.ts';
import { LabelReader } from '../../text/words/labels.ts';
import { titleLength } from '../../text/words/query-terms.ts';
import { indexedTerms } from '../../text/words/terms.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexEntry, IndexedChunk, SiteScope } from '../ports/page-index.ts';
import type { StoredPage } from '../ports/page-store.ts';
import { fittingChunks, type SizedChunk } from './entry-size.ts';
import type { RegisteredPage } from './page-registry.ts';

export type PageToIndex = SiteScope & {
  readonly row: Pick<
    RegisteredPage,
    'url' | 'urlHash' | 'givenUrl' | 'aliases' | 'revision' | 'crawledAt' | 'contentHash'
  >;
  readonly content: PageContent & Pick<StoredPage, 'metadata'>;
};

type HeadedChunk = SizedChunk & {
  readonly chunk: Omit<IndexedChunk, 'embedded'>;
  readonly headed: string;
  readonly spelled: readonly string[];
};
type ChunkedPage = {
  readonly page: PageToIndex;
  readonly chunks: readonly HeadedChunk[];
  readonly truncated: boolean;
};

/**
 * Makes index entries. Embeds all texts in one call. Awaits `yieldToOthers` before each page, so that this thread can
 * answer requests.
 */
export async function indexEntries(
  pages: readonly PageToIndex[],
  embedder: Embedder,
  yieldToOthers: () => Promise<void> = async () => undefined,
): Promise<readonly IndexEntry[]> {
  const chunked: ChunkedPage[] = [];
  for (const page of pages) {
    await yieldToOthers();
    chunked.push(chunkedPage(page, embedder.dimensions));
  }
  const texts = chunked.flatMap(({ page, chunks }) =>
    chunks.map((chunk) => ({ text: chunk.headed, language: page.content.language })),
  );
  const vectors = (await embedder.embedTexts(texts)).values();
  const entries: IndexEntry[] = [];
  for (const { page, chunks, truncated } of chunked) {
    await yieldToOthers();
    entries.push({
      ...pageFields(page),
      ...(truncated && { truncated }),
      spellings: spellingsOf(chunks.flatMap(({ spelled }) => spelled)),
      chunks: chunks.map(({ chunk }) => ({ ...chunk, embedded: vectors.next().value })),
    });
  }
  await embedder.measure?.(
    entries.map(({ url, title, chunks }) => ({
      url,
      title,
      vectors: chunks.flatMap(({ embedded }) => (embedded ? [embedded.vector] : [])),
    })),
  );
  return entries;
}

/** Chunks a page and drops chunks that the index cannot take, before they are embedded at the organisation's cost. */
function chunkedPage(page: PageToIndex, dimensions: number): ChunkedPage {
  const { title, blocks, language = '', isCut = false } = page.content;
  const labels = new LabelReader(language);
  const all = chunkPage(blocks).map((chunk): HeadedChunk => {
    const { headings, text, searchOnlyText } = chunk;
    const shown = headed(title, { headings, text });
    const read = indexedTerms(shown, language);
    const labelled = labels.termsOf(chunk);
    if (searchOnlyText === undefined)
      return { ...read, headed: shown, chunk: { ...chunk, labelled, terms: read.terms } };
    const hidden = indexedTerms(searchOnlyText, language);
    return {
      spelled: read.spelled,
      occurrences: read.occurrences + hidden.occurrences,
      characters: read.characters + hidden.characters,
      headed: headed(title, chunk),
      chunk: { ...chunk, labelled, terms: [...read.terms, ...hidden.terms] },
    };
  });
  const chunks = fittingChunks(all, dimensions);
  return { page, chunks, truncated: isCut || chunks.length < all.length || all.length === MAX_CHUNKS };
}

/** Maximum number of spellings of a page. A page with more words is mostly a list. */
const MAX_SPELLINGS = 5000;

/** Returns the distinct spellings. */
export const spellingsOf = (words: readonly string[]): readonly string[] => [...new Set(words)].slice(0, MAX_SPELLINGS);

export const headed = (
  title: string,
  { headings, text, searchOnlyText = '' }: Pick<Chunk, 'headings' | 'text' | 'searchOnlyText'>,
): string => [title, ...headings, text, ...(searchOnlyText === '' ? [] : [searchOnlyText])].join('\n');

function pageFields({ siteId, generation, row, content }: PageToIndex): Omit<IndexEntry, 'chunks' | 'spellings'> {
  const { title, language } = content;
  const { terms, spelled } = indexedTerms(title, language ?? '');
  const publishedAt = content.publishedAt === undefined ? undefined : dateKey(content.publishedAt);
  return {
    siteId,
    generation,
    urlHash: row.urlHash,
    revision: row.revision,
    url: row.givenUrl ?? row.url,
    aliases: row.aliases?.urls ?? [],
    title,
    titleTerms: terms.flat(),
    titleSpellings: spellingsOf(spelled),
    titleLength: titleLength(title, language ?? ''),
    ...defined({ language, summary: content.description }),
    tags: content.tags,
    facts: metadataFacts(content.metadata),
    ...defined({ metadata: content.metadata, publishedAt }),
    crawledAt: row.crawledAt,
  };
}
