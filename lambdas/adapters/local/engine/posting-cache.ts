import type { PostingList } from './postings.ts';

/** Of all lists together: 10 MB. The words that many queries have are in few lists, and those are the long ones. */
const MOST_POSTINGS = 2_000_000;

/** The posting lists that were asked for last, by term. */
export class KeptLists {
  readonly #lists = new Map<number, PostingList>();
  #postings = 0;

  get bytes(): number {
    return 5 * this.#postings;
  }

  of(term: number, read: () => PostingList): PostingList {
    const list = this.#lists.get(term) ?? this.#add(read());
    this.#lists.delete(term);
    this.#lists.set(term, list);
    for (const [oldest, { length }] of this.#lists) {
      if (this.#postings <= MOST_POSTINGS || oldest === term) break;
      this.#lists.delete(oldest);
      this.#postings -= length;
    }
    return list;
  }

  clear(): void {
    this.#lists.clear();
    this.#postings = 0;
  }

  #add(list: PostingList): PostingList {
    this.#postings += list.length;
    return list;
  }
}
