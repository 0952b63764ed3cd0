import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { Lexicon } from './lexicon.ts';
import type { PageFacts } from './page-facts.ts';
import { PartitionIndex } from './partition-index.ts';
import type { IndexPartition } from './partition-rows.ts';

const MAX_BYTES = 1e9;
/** Writes update the postings once this number of chunks is new, so that little work is left for the next search. */
const MAX_CHUNKS_BEHIND = 4096;
/**
 * Reads add to the memory of an index, though little. Summing it up for each read is expensive with many partitions.
 */
const READS_PER_CHECK = 1000;

/** `version` is the partition's at the time of loading. Without `index`, only the lexicon is loaded. */
type CachedPartition = { version: number; readonly lexicon: Lexicon; index?: PartitionIndex };

/** The least recently used partitions are evicted. Writes update the cache together with the file. */
export class IndexCache {
  readonly #lexiconRows;
  readonly #pageRows;
  readonly #pageData;
  readonly #partitions = new Map<number, CachedPartition>();
  #uncheckedReads = 0;

  constructor(database: DatabaseSync) {
    this.#lexiconRows = database.prepare('SELECT terms FROM index_lexicon WHERE partition_id = ? ORDER BY first_id');
    this.#pageRows = database.prepare(
      `SELECT id, url_hash, url, path, aliases, title_length, language, published_at, tags, facts FROM index_page
       WHERE partition_id = ? ORDER BY id`,
    );
    this.#pageData = database.prepare('SELECT packed_terms, packed_vectors FROM index_page_data WHERE page = ?');
  }

  indexOf(partition: IndexPartition): PartitionIndex {
    const cached = this.#get(partition);
    if (cached.index?.pages.isSparse) delete cached.index;
    const isLoaded = cached.index !== undefined;
    cached.index ??= this.#readIndex(partition.id, cached.lexicon);
    if (!isLoaded || ++this.#uncheckedReads >= READS_PER_CHECK) this.#evict();
    return cached.index;
  }

  /** `write` changes file and cached partition, and returns the new version. If it throws, the entry is evicted. */
  update(partition: IndexPartition, write: (cached: Pick<CachedPartition, 'lexicon' | 'index'>) => number): void {
    const cached = this.#get(partition);
    this.#partitions.delete(partition.id);
    if (partition.chunks === 0) cached.index ??= new PartitionIndex(cached.lexicon);
    cached.version = write(cached);
    cached.index?.postings.catchUp(MAX_CHUNKS_BEHIND);
    this.#partitions.set(partition.id, cached);
    this.#evict();
  }

  forget(partition: number): void {
    this.#partitions.delete(partition);
  }

  /** A cached partition of another version is stale: its write was rolled back, or another process has written. */
  #get({ id, version }: IndexPartition): CachedPartition {
    const known = this.#partitions.get(id);
    const cached = known?.version === version ? known : { version, lexicon: this.#readLexicon(id) };
    this.#partitions.delete(id);
    this.#partitions.set(id, cached);
    return cached;
  }

  #readLexicon(partition: number): Lexicon {
    const lexicon = new Lexicon();
    for (const { terms } of this.#lexiconRows.iterate(partition))
      for (const term of String(terms).split(' ')) lexicon.appendNew(term);
    return lexicon;
  }

  #readIndex(partition: number, lexicon: Lexicon): PartitionIndex {
    const index = new PartitionIndex(lexicon);
    for (const page of this.#pageRows.iterate(partition)) {
      const facts = factsOf(page);
      const { packed_terms: terms, packed_vectors: vectors } = this.#pageData.get(facts.id) ?? {};
      if (terms instanceof Uint8Array && vectors instanceof Uint8Array) {
        index.add({ facts, terms, vectors: int16sOf(vectors) });
      }
    }
    return index;
  }

  /** Loading more would evict what was loaded before. */
  get isFull(): boolean {
    return this.#bytes > MAX_BYTES / 2;
  }

  get #bytes(): number {
    return [...this.#partitions.values()].reduce((sum, cached) => sum + bytesOf(cached), 0);
  }

  #evict(): void {
    this.#uncheckedReads = 0;
    let bytes = this.#bytes;
    for (const [partition, cached] of this.#partitions) {
      if (bytes <= MAX_BYTES || this.#partitions.size === 1) return;
      this.#partitions.delete(partition);
      bytes -= bytesOf(cached);
    }
  }
}

const bytesOf = ({ lexicon, index }: CachedPartition): number => lexicon.bytes + (index?.bytes ?? 0);

function factsOf(row: Record<string, SQLOutputValue>): PageFacts {
  return {
    id: Number(row.id),
    urlHash: String(row.url_hash),
    url: String(row.url),
    path: String(row.path),
    aliases: JSON.parse(String(row.aliases)),
    titleLength: Number(row.title_length),
    ...(row.language !== null && { language: String(row.language) }),
    ...(row.published_at !== null && { publishedAt: String(row.published_at) }),
    tags: JSON.parse(String(row.tags)),
    facts: JSON.parse(String(row.facts)),
  };
}

/** Copies the bytes if they begin at an odd offset. */
function int16sOf(bytes: Uint8Array): Int16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}
