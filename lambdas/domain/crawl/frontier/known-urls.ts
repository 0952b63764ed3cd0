import { urlHash } from '../../../text/web/url.ts';
import type { FoundUrl } from '../jobs/url-rows.ts';

export const MAX_URLS = 200_000;

/** The URLs of a job in memory, so that a link found a hundred times is written once. */
export class KnownUrls {
  readonly #maxDepth: number;
  readonly #hashes = new UrlHashes();
  /** Leaves, queued or ended. A link to a leaf makes it an ordinary page, even after its outcome. */
  readonly #leaves = new Set<string>();
  readonly #queuedLeaves = new Set<string>();
  readonly #named = new UrlHashes();

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  get size(): number {
    return this.#hashes.size;
  }

  get isFull(): boolean {
    return this.size >= MAX_URLS;
  }

  get queuedLeaves(): number {
    return this.#queuedLeaves.size;
  }

  has(hash: string): boolean {
    return this.#hashes.has(hash);
  }

  isNamed(hash: string): boolean {
    return this.#named.has(hash);
  }

  named(hash: string): void {
    this.#named.add(hash);
  }

  add(
    hash: string,
    { isLeaf, isQueued, isNamed }: { readonly isLeaf: boolean; readonly isQueued: boolean; readonly isNamed: boolean },
  ): void {
    this.#hashes.add(hash);
    if (isNamed) this.named(hash);
    if (isLeaf) this.#leaves.add(hash);
    if (isLeaf && isQueued) this.#queuedLeaves.add(hash);
  }

  /** Records that the URL was postponed or has its outcome. */
  dequeued(hash: string, isLeaf = false): void {
    this.#queuedLeaves.delete(hash);
    if (isLeaf) this.#leaves.add(hash);
  }

  promoted(hash: string): void {
    this.#queuedLeaves.delete(hash);
    this.#leaves.delete(hash);
  }

  /**
   * Splits URLs into new ones, as far as there is room, known ones to which a better way was found, and hashes of known
   * ones that are named for the first time.
   */
  sort(found: readonly FoundUrl[]): {
    readonly fresh: ReadonlyMap<string, FoundUrl>;
    readonly better: ReadonlyMap<string, FoundUrl>;
    readonly named: ReadonlySet<string>;
  } {
    const fresh = new Map<string, FoundUrl>();
    const better = new Map<string, FoundUrl>();
    const named = new Set<string>();
    for (const url of found) {
      const hash = urlHash(url.url);
      if (this.has(hash)) {
        if (this.#mayBeBetter(url, hash)) better.set(hash, this.#best(better.get(hash), url));
        if (url.isNamed && !this.isNamed(hash)) named.add(hash);
      } else if (fresh.has(hash) || this.size + fresh.size < MAX_URLS)
        fresh.set(hash, this.#best(fresh.get(hash), url));
    }
    return { fresh, better, named };
  }

  /** Returns whether a URL may be reached by a better way: a redirect or canonical may be shorter than the links. */
  #mayBeBetter({ isLeaf, isTarget }: FoundUrl, hash: string): boolean {
    return isTarget === true || (!isLeaf && this.#leaves.has(hash));
  }

  /** Prefers a way that is not too deep, then one to an ordinary page, then the shorter one, then the first. */
  #best(first: FoundUrl | undefined, second: FoundUrl): FoundUrl {
    if (!first) return second;
    const better = this.#shorter(first, second);
    return first.isNamed || second.isNamed ? { ...better, isNamed: true } : better;
  }

  #shorter(first: FoundUrl, second: FoundUrl): FoundUrl {
    const isTooDeep = ({ depth }: FoundUrl) => depth > this.#maxDepth;
    if (isTooDeep(first) !== isTooDeep(second)) return isTooDeep(first) ? second : first;
    if (first.isLeaf !== second.isLeaf) return first.isLeaf ? second : first;
    const isShorter = second.depth < first.depth || (second.isStart && !first.isStart);
    return isShorter ? second : first;
  }
}

const FIRST_SLOTS = 1024;
/** A set with a larger share of used slots is doubled. */
const FULLEST = 0.6;

/** A set of URL hashes (`urlHash`), stored as their first 8 bytes: 100,000 of them take 2 MB. */
export class UrlHashes {
  #slots = new Uint32Array(2 * FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(hash: string): boolean {
    const [high, low] = halves(hash);
    return this.#slots[this.#find(high, low) + 1] !== 0;
  }

  add(hash: string): void {
    const [high, low] = halves(hash);
    this.#put(high, low);
    if (this.#size > (this.#slots.length / 2) * FULLEST) this.#grow();
  }

  #put(high: number, low: number): void {
    const at = this.#find(high, low);
    if (this.#slots[at + 1] !== 0) return;
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#size++;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    this.#size = 0;
    for (let at = 0; at < before.length; at += 2)
      if (before[at + 1] !== 0) this.#put(before[at] as number, before[at + 1] as number);
  }

  /** Returns the slot of the hash, or the free slot for it. */
  #find(high: number, low: number): number {
    const last = this.#slots.length - 1;
    let at = (2 * high) & last;
    while (this.#slots[at + 1] !== 0 && (this.#slots[at] !== high || this.#slots[at + 1] !== low)) at = (at + 2) & last;
    return at;
  }
}

/** Splits the hash. The low half is never 0, which marks a free slot. */
const halves = (hash: string): readonly [high: number, low: number] => [
  Number.parseInt(hash.slice(0, 8), 16),
  Number.parseInt(hash.slice(8, 16), 16) || 1,
];
