import type { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import type { PageAddress } from '../../../core/ports/page-store.ts';
import type { Listing } from '../../../core/ports/table.ts';

/** The fastest. Higher levels take longer and save at most 10 %. */
const GZIP_LEVEL = 1;

export type PageText = { readonly address: PageAddress; readonly json: string };

const ADDRESS = 'site_id = :siteId AND generation = :generation AND url_hash = :urlHash AND revision = :revision';

export function pageStore(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT OR REPLACE INTO page (site_id, generation, url_hash, revision, body)
     VALUES (:siteId, :generation, :urlHash, :revision, :body)`,
  );
  const select = database.prepare(`SELECT body FROM page WHERE ${ADDRESS}`);
  const remove = database.prepare(`DELETE FROM page WHERE ${ADDRESS}`);
  const list = database.prepare(
    `SELECT url_hash AS urlHash, revision FROM page
     WHERE site_id = :siteId AND generation = :generation AND (url_hash, revision) > (:urlHash, :revision)
     ORDER BY url_hash, revision LIMIT :limit`,
  );
  const removeBelow = database.prepare(
    `DELETE FROM page WHERE id IN
       (SELECT id FROM page WHERE site_id = :siteId AND generation < :generation LIMIT :limit)`,
  );
  const anyBelow = database.prepare('SELECT 1 FROM page WHERE site_id = :siteId AND generation < :generation LIMIT 1');

  return {
    put(pages: readonly PageText[]): void {
      for (const { address, json } of pages) {
        insert.run({ ...columnsOf(address), body: gzipSync(json, { level: GZIP_LEVEL }) });
      }
    },

    get(addresses: readonly PageAddress[]): readonly (string | undefined)[] {
      return addresses.map((address) => {
        const body = select.get(columnsOf(address))?.body;
        return body instanceof Uint8Array ? gunzipSync(body).toString() : undefined;
      });
    },

    remove(addresses: readonly PageAddress[]): void {
      for (const address of addresses) remove.run(columnsOf(address));
    },

    list(
      { siteId, generation }: SiteScope,
      { limit, after }: { readonly limit: number; readonly after?: string | undefined },
    ): Listing<PageAddress> {
      const [urlHash = '', revision = 0] = after?.split('/') ?? [];
      const found = list.all({ siteId, generation, urlHash, revision: Number(revision), limit: limit + 1 });
      const rows = found as Pick<PageAddress, 'urlHash' | 'revision'>[];
      const items = rows.slice(0, limit).map((row) => ({ siteId, generation, ...row }));
      const last = items.at(-1);
      return { items, ...(rows.length > limit && last && { next: `${last.urlHash}/${last.revision}` }) };
    },

    removeBelow(siteId: string, generation: number, limit: number): boolean {
      removeBelow.run({ siteId, generation, limit });
      return anyBelow.get({ siteId, generation }) === undefined;
    },
  };
}

/** Drops other fields: SQLite refuses parameters that a statement does not have. */
function columnsOf({ siteId, generation, urlHash, revision }: PageAddress) {
  return { siteId, generation, urlHash, revision };
}
