type Versioned = { readonly version: number };

/** Characters of the items' JSON together: some 10 MB in memory. */
const MAX_CHARACTERS = 5_000_000;

/** Items of which a version never changes, by what they belong to. All are forgotten when they become too many. */
export class KnownVersions {
  readonly #items = new Map<string, Versioned>();
  #characters = 0;

  /** Whether an item of the owner is known, in any version. */
  has(owner: string): boolean {
    return this.#items.has(owner);
  }

  /** Undefined also for an item of another version. */
  get<T extends Versioned>(owner: string, version: number | undefined): T | undefined {
    const item = this.#items.get(owner);
    return item?.version === version ? (item as T | undefined) : undefined;
  }

  add(owner: string, item: Versioned): void {
    const characters = JSON.stringify(item).length;
    if (this.#characters + characters > MAX_CHARACTERS) {
      this.#items.clear();
      this.#characters = 0;
    }
    this.#characters += characters;
    this.#items.set(owner, item);
  }
}
