import { hash } from 'node:crypto';
import { epochSeconds } from '../../clock.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { Key } from '../../ports/table.ts';
import { everyPage, generationPrefix, type RegisteredPage, withoutKey } from '../page-registry.ts';
import type { PageDeps } from '../page-writer.ts';

/** Number of rows that are read before the time is checked again. */
const ROWS_PER_PART = 500;
/** Seconds for which the same request may continue where the last one stopped. */
const REMEMBERED_SECONDS = 600;

type Position = { readonly after: string };
type WalkDeps = Pick<PageDeps, 'table' | 'clock'>;

/**
 * Reads all rows of a site to delete pages by pattern. If a request stops, the same request continues after the last
 * part.
 */
export class PatternWalk {
  readonly #site: SiteScope;
  readonly #key: Key;
  readonly #deps: WalkDeps;
  readonly #started: string | undefined;
  #after: string | undefined;

  private constructor(site: SiteScope, key: Key, started: string | undefined, deps: WalkDeps) {
    this.#site = site;
    this.#key = key;
    this.#deps = deps;
    this.#started = started;
    this.#after = started;
  }

  static async open(site: SiteScope, patterns: readonly string[], deps: WalkDeps): Promise<PatternWalk> {
    const key = positionKey(site, patterns);
    return new PatternWalk(site, key, (await deps.table.get<Position>(key))?.after, deps);
  }

  /** Yields the matching rows. Parts may be empty, so that the time is also checked while no page matches. */
  async *parts(matches: (row: RegisteredPage) => boolean): AsyncGenerator<readonly RegisteredPage[]> {
    let rows: RegisteredPage[] = [];
    for await (const item of everyPage(this.#site, this.#deps.table, this.#after)) {
      rows.push(withoutKey(item));
      if (rows.length < ROWS_PER_PART) continue;
      yield rows.filter(matches);
      // The caller asks for the next part, so it has finished this one.
      this.#after = item.sk;
      rows = [];
    }
    yield rows.filter(matches);
  }

  /**
   * Stores or removes the position. `goesOn`: the walk stopped, and all matching pages before its position are deleted.
   */
  async end(goesOn: boolean): Promise<void> {
    const { table, clock } = this.#deps;
    const after = this.#after;
    if (goesOn && after !== undefined)
      await table.putMany([{ ...this.#key, after, expiresAt: epochSeconds(clock) + REMEMBERED_SECONDS }]);
    else if (this.#started !== undefined) await table.removeMany([this.#key]);
  }
}

const positionKey = ({ siteId, generation }: SiteScope, patterns: readonly string[]): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}DELETE#${hash('sha256', JSON.stringify(patterns.toSorted()), 'hex')}`,
});
