import type { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PageAddress } from '../../../core/ports/page-store.ts';

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
