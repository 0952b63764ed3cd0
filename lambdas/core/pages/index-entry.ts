import { type Chunk, chunkPage } from '../content/chunking/chunks.ts';
import type { PageContent } from '../content/page-content.ts';
import { labelledTerms } from '../language/labels.ts';
import { titleLength } from '../language/query-terms.ts';
import { termsByPosition } from '../language/terms.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexEntry } from '../ports/page-index.ts';
import { dateKey } from './facts.ts';
import type { RegisteredPage } from './page-registry.ts';
import type { StoredPage } from './stored-page.ts';

export type PageToIndex = {
  readonly siteId: string;
  readonly generation: number;
  readonly row: RegisteredPage;
  readonly content: PageContent & Pick<StoredPage, 'metadata'>;
  readonly facts?: readonly string[];
};

/** The index entry of a page, and its registry row with the number of chunks. */
export type IndexedPage = { readonly row: RegisteredPage; readonly entry: IndexEntry };

type HeadedChunk = { readonly chunk: Chunk; readonly text: string };

/**
 * Pages as they are indexed: chunks with their terms and vectors. All texts are embedded together, so that a provider is asked in large
 * batches. Before each page's work it waits for `others`, who may have requests to answer in this thread.
 */
export async function indexEntries(
  pages: readonly PageToIndex[],
  embedder: Embedder,
  others: () => Promise<void> = async () => undefined,
): Promise<readonly IndexedPage[]> {
  const chunked: { readonly page: PageToIndex; readonly chunks: readonly HeadedChunk[] }[] = [];
  for (const page of pages) {
    await others();
    const { title, blocks } = page.content;
    const chunks = chunkPage(blocks);
    chunked.push({ page, chunks: chunks.map((chunk) => ({ chunk, text: headed(title, chunk) })) });
  }
  const texts = chunked.flatMap(({ page, chunks }) =>
    chunks.map(({ text }) => ({ text, language: page.content.language })),
  );
  const vectors = (await embedder.embedTexts(texts)).values();
  const indexed: IndexedPage[] = [];
  for (const { page, chunks } of chunked) {
    await others();
    const language = page.content.language ?? '';
    const entry = {
      ...pageFields(page),
      chunks: chunks.map(({ chunk, text }) => ({
        ...chunk,
        terms: termsByPosition(text, language),
        labelled: labelledTerms(chunk, language),
        embedded: vectors.next().value,
      })),
    };
    indexed.push({ row: { ...page.row, chunks: chunks.length }, entry });
  }
  return indexed;
}

/** What is searched and embedded of a chunk: title, path of headings, text. */
export const headed = (title: string, { headings, text }: Pick<Chunk, 'headings' | 'text'>): string =>
  [title, ...headings, text].join('\n');

function pageFields({ siteId, generation, row, content, facts = [] }: PageToIndex): Omit<IndexEntry, 'chunks'> {
  const { title, language } = content;
  const publishedAt = content.publishedAt === undefined ? undefined : dateKey(content.publishedAt);
  return {
    siteId,
    generation,
    urlHash: row.urlHash,
    revision: row.revision,
    url: row.givenUrl ?? row.url,
    title,
    titleTerms: termsByPosition(title, language ?? '').flat(),
    titleLength: titleLength(title, language ?? ''),
    ...(language !== undefined && { language }),
    ...(content.description !== undefined && { summary: content.description }),
    tags: content.tags,
    facts,
    ...(content.metadata !== undefined && { metadata: content.metadata }),
    ...(publishedAt !== undefined && { publishedAt }),
    crawledAt: row.crawledAt,
  };
}
