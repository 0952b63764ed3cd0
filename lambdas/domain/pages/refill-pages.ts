import { defined } from '../../text/defined.ts';
import type { SourcedFields } from '../../text/fields/field-source.ts';
import { canFill, filledFields, type Metadata, withGiven } from '../../text/fields/filled-fields.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { StoredPage } from '../ports/page-store.ts';
import type { Table } from '../ports/table.ts';
import { contentHashOf, textHashOf } from './page-hashes.ts';
import { pageKey, type RegisteredPage } from './page-registry.ts';
import { type EntryMaker, type PageDeps, type PageDraft, siteWriter } from './page-writer.ts';
import { readStoredPages } from './stored-page.ts';
import { writePages } from './write-pages.ts';

export type RefillDeps = PageDeps & { readonly clock: Clock; readonly makeEntries: EntryMaker };

/**
 * Fills the fields of stored pages as far as the stored values allow. Other fields are filled when a page is read
 * again. Pages that are pending, or that another writer changes at the same time, are skipped.
 */
export async function refillPages(
  rows: readonly RegisteredPage[],
  site: SiteScope,
  fields: SourcedFields,
  { makeEntries, ...deps }: RefillDeps,
): Promise<void> {
  const outdated = rows.filter(({ pending, fields: version }) => !pending && version !== fields.version);
  const stored = await readStoredPages(site, outdated, deps.pageStore);
  const pages = outdated.flatMap((before) => {
    const page = stored.get(before.urlHash);
    return page ? [{ stored: page, ...refilled(before, page, fields, deps.clock) }] : [];
  });
  const isSame = (page: (typeof pages)[number]) => isEqual(page.page.metadata, page.stored.metadata);
  const changed = pages.filter((page) => !isSame(page)).map(({ stored: _, ...draft }) => draft);
  await writePages(changed, siteWriter(site, { makeEntries }, deps.table), deps);
  await Promise.all(pages.filter(isSame).map((page) => updateRow(page, site, deps.table)));
}

const isEqual = (one: Metadata = {}, other: Metadata = {}): boolean => JSON.stringify(one) === JSON.stringify(other);

type Refilled = PageDraft & { readonly before: RegisteredPage };

function refilled(before: RegisteredPage, stored: StoredPage, sources: SourcedFields, clock: Clock): Refilled {
  const { url, metadata = {}, filled = [], ...content } = stored;
  const { sourceValues } = content;
  const known = filledFields(sources, before.url, sourceValues);
  const unknown = sources.fields.filter((field) => !canFill({ fields: [field] }, sourceValues));
  // A value from an earlier source stays until the page is read again.
  const earlier = pick(metadata, (name) => filled.includes(name) && unknown.some((field) => field.name === name));
  const given = pick(metadata, (name) => !filled.includes(name));
  const values = withGiven({ ...earlier, ...known }, given);
  const { pending, removing, unembedded, fields, ...row } = before;
  const isFilled = sources.version !== undefined && unknown.length === 0;
  return {
    before,
    page: { ...content, url, ...values },
    row: {
      ...row,
      ...(isFilled && { fields: sources.version }),
      ...(row.source === 'crawl' && { contentHash: contentHashOf(content, values.metadata) }),
      textHash: textHashOf(content, values.metadata, sources),
      indexedAt: epochSeconds(clock),
    },
  };
}

const pick = (metadata: Metadata, isWanted: (name: string) => boolean): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => isWanted(name)));

/** Updates the hashes and the version of the fields in a row whose metadata is unchanged. */
async function updateRow({ before, row }: Refilled, { siteId, generation }: SiteScope, table: Table): Promise<void> {
  const { fields, textHash, contentHash } = row;
  if (fields === before.fields && textHash === before.textHash && contentHash === before.contentHash) return;
  await table.update(pageKey(siteId, generation, row), {
    set: { textHash, contentHash, ...defined({ fields }) },
    ...(fields === undefined && { unset: ['fields'] }),
    when: { equals: { revision: before.revision } },
  });
}
