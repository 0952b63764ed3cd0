import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { IndexSpace } from './index-partitions.ts';
import { Lexicon } from './lexicon.ts';
import type { PageFacts } from './page-facts.ts';
import { SpaceIndex } from './space-index.ts';

const MOST_BYTES = 1e9;
/** Postings are made when so many chunks have come: what is left for the first search is short work. */
const CHUNKS_BEHIND = 4096;

/** `version` is that of the space. Without an index only its terms are known. */
type Loaded = { version: number; readonly lexicon: Lexicon; index?: SpaceIndex };

/** The spaces that were searched or written to last, in memory, kept in step with what is written. */
export class LoadedSpaces {
  readonly #terms;
  readonly #pages;
  readonly #evidence;
  readonly #loaded = new Map<number, Loaded>();

  constructor(database: DatabaseSync) {
    this.#terms = database.prepare('SELECT terms FROM index_lexicon WHERE space = ? ORDER BY first');
    this.#pages = database.prepare(
      `SELECT id, url_hash, url, path, title_length, language, published_at, tags, facts FROM index_page
       WHERE space = ? ORDER BY id`,
    );
    this.#evidence = database.prepare('SELECT words, vectors FROM index_evidence WHERE page = ?');
  }

  /** What is searched of a space, as it is in the file. */
  indexOf(space: IndexSpace): SpaceIndex {
    const loaded = this.#of(space);
    if (loaded.index?.pages.isSparse) delete loaded.index;
    loaded.index ??= this.#read(space.id, loaded.lexicon);
    this.#shrink();
    return loaded.index;
  }

  /**
   * Writes to a space and to what is in memory of it, from its first page on; `write` answers the version that the space has then. A write that fails
   * leaves nothing in memory.
   */
  change(space: IndexSpace, write: (loaded: Pick<Loaded, 'lexicon' | 'index'>) => number): void {
    const loaded = this.#of(space);
    this.#loaded.delete(space.id);
    if (space.chunks === 0) loaded.index ??= new SpaceIndex(loaded.lexicon);
    loaded.version = write(loaded);
    loaded.index?.postings.follow(CHUNKS_BEHIND);
    this.#loaded.set(space.id, loaded);
    this.#shrink();
  }

  forget(space: number): void {
    this.#loaded.delete(space);
  }

  /** What is of another version than the space is of a write that was undone, or was made elsewhere. */
  #of({ id, version }: IndexSpace): Loaded {
    const known = this.#loaded.get(id);
    const loaded = known?.version === version ? known : { version, lexicon: this.#readLexicon(id) };
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    return loaded;
  }

  #readLexicon(space: number): Lexicon {
    const lexicon = new Lexicon();
    for (const { terms } of this.#terms.iterate(space))
      for (const term of String(terms).split(' ')) lexicon.append(term);
    return lexicon;
  }

  #read(space: number, lexicon: Lexicon): SpaceIndex {
    const index = new SpaceIndex(lexicon);
    for (const page of this.#pages.iterate(space)) {
      const facts = factsOf(page);
      const { words, vectors } = this.#evidence.get(facts.id) ?? {};
      if (words instanceof Uint8Array && vectors instanceof Uint8Array) {
        index.add({ facts, words, vectors: shortsOf(vectors) });
      }
    }
    return index;
  }

  /** More would push out what was loaded before. */
  get isFull(): boolean {
    return this.#bytes > MOST_BYTES / 2;
  }

  get #bytes(): number {
    return [...this.#loaded.values()].reduce((sum, loaded) => sum + bytesOf(loaded), 0);
  }

  #shrink(): void {
    let bytes = this.#bytes;
    for (const [space, loaded] of this.#loaded) {
      if (bytes <= MOST_BYTES || this.#loaded.size === 1) return;
      this.#loaded.delete(space);
      bytes -= bytesOf(loaded);
    }
  }
}

const bytesOf = ({ lexicon, index }: Loaded): number => lexicon.bytes + (index?.bytes ?? 0);

function factsOf(row: Record<string, SQLOutputValue>): PageFacts {
  return {
    id: Number(row.id),
    urlHash: String(row.url_hash),
    url: String(row.url),
    path: String(row.path),
    titleLength: Number(row.title_length),
    ...(row.language !== null && { language: String(row.language) }),
    ...(row.published_at !== null && { publishedAt: String(row.published_at) }),
    tags: JSON.parse(String(row.tags)),
    facts: JSON.parse(String(row.facts)),
  };
}

/** A copy where the bytes of a row do not begin at an even place. */
function shortsOf(bytes: Uint8Array): Int16Array {
  const even = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Int16Array(even.buffer, even.byteOffset, even.byteLength / 2);
}
