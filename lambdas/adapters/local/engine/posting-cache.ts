import type { PostingList } from './posting-list.ts';

/** For all lists together, 10 MB: the terms of most queries are few, and their lists are the longest. */
const MAX_POSTINGS = 2_000_000;
const BYTES_PER_POSTING = 5;

export class PostingCache {
  readonly #lists = new Map<number, PostingList>();
  #postings = 0;

  get bytes(): number {
    return BYTES_PER_POSTING * this.#postings;
  }

  get(term: number, read: () => PostingList): PostingList {
    const known = this.#lists.get(term);
    // Keeping the order of use takes longer than the rest, and it is not needed while there is room.
    if (known && this.#postings <= MAX_POSTINGS / 2) return known;
    const list = known ?? this.#count(read());
    this.#lists.delete(term);
    this.#lists.set(term, list);
    for (const [oldest, { length }] of this.#lists) {
      if (this.#postings <= MAX_POSTINGS || oldest === term) break;
      this.#lists.delete(oldest);
      this.#postings -= length;
    }
    return list;
  }

  clear(): void {
    this.#lists.clear();
    this.#postings = 0;
  }

  #count(list: PostingList): PostingList {
    this.#postings += list.length;
    return list;
  }
}
