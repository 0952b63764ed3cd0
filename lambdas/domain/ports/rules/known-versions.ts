type Versioned = { readonly version: number };

/** Maximum characters of all items as JSON: about 10 MB in memory. */
const MAX_CHARACTERS = 5_000_000;

/** Caches items that never change within a version, by owner. All are dropped when they become too large. */
export class KnownVersions {
  readonly #items = new Map<string, Versioned>();
  #characters = 0;

  /** Returns whether an item of the owner is cached, in any version. */
  has(owner: string): boolean {
    return this.#items.has(owner);
  }

  /** Returns the item; undefined if its version differs. */
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
