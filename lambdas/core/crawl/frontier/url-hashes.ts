const FIRST_SLOTS = 1024;
/** A fuller set is doubled. */
const FULLEST = 0.6;

/** A set of URL hashes (`urlHash`) by their first 8 bytes: 100,000 of them take 2 MB. */
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

  /** The slot of the hash, or the free slot for it. */
  #find(high: number, low: number): number {
    const last = this.#slots.length - 1;
    let at = (2 * high) & last;
    while (this.#slots[at + 1] !== 0 && (this.#slots[at] !== high || this.#slots[at + 1] !== low)) at = (at + 2) & last;
    return at;
  }
}

/** The low half is never 0, which marks a free slot. */
const halves = (hash: string): readonly [high: number, low: number] => [
  Number.parseInt(hash.slice(0, 8), 16),
  Number.parseInt(hash.slice(8, 16), 16) || 1,
];
