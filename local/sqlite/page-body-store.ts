import type { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import type { PageAddress, PageStore } from '../../lambdas/domain/ports/page-store.ts';
import { listingOf } from '../../lambdas/domain/ports/rules/listing.ts';
import type { SyncPort } from './sync-port.ts';

type PackedPage = { readonly address: PageAddress; readonly body: Uint8Array };

const ADDRESS = 'site_id = :siteId AND generation = :generation AND url_hash = :urlHash AND revision = :revision';

type PageBodyStore = SyncPort<Omit<PageStore, 'put'>> & { put(pages: readonly PackedPage[]): void };

export function pageBodyStore(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT OR REPLACE INTO page (site_id, generation, url_hash, revision, body)
     VALUES (:siteId, :generation, :urlHash, :revision, :body)`,
  );
  const select = database.prepare(`SELECT body FROM page WHERE ${ADDRESS}`);
  const remove = database.prepare(`DELETE FROM page WHERE ${ADDRESS}`);
  const list = database.prepare(
    `SELECT site_id AS siteId, generation, url_hash AS urlHash, revision FROM page
     WHERE site_id = :siteId AND generation = :generation AND (url_hash, revision) > (:urlHash, :revision)
     ORDER BY url_hash, revision LIMIT :limit`,
  );
  const removeBelow = database.prepare(
    `DELETE FROM page WHERE id IN
       (SELECT id FROM page WHERE site_id = :siteId AND generation < :generation LIMIT :limit)`,
  );

  return {
    put(pages) {
      for (const { address, body } of pages) insert.run({ ...columnsOf(address), body });
    },

    get: (addresses) =>
      addresses.map((address) => {
        const body = select.get(columnsOf(address))?.body;
        return body instanceof Uint8Array ? JSON.parse(gunzipSync(body).toString()) : undefined;
      }),

    remove(addresses) {
      for (const address of addresses) remove.run(columnsOf(address));
    },

    list({ siteId, generation }, { limit, after }) {
      const [urlHash = '', revision = 0] = after?.split('/') ?? [];
      const found = list.all({ siteId, generation, urlHash, revision: Number(revision), limit: limit + 1 });
      return listingOf(found as PageAddress[], limit, (last) => `${last.urlHash}/${last.revision}`);
    },

    removeBelow: (siteId, generation, limit) => Number(removeBelow.run({ siteId, generation, limit }).changes) < limit,
  } satisfies PageBodyStore;
}

/** Returns only the fields of the address, because SQLite refuses parameters that a statement does not have. */
function columnsOf({ siteId, generation, urlHash, revision }: PageAddress) {
  return { siteId, generation, urlHash, revision };
}
