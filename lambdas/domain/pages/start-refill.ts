import { sourcedFields } from '../../text/fields/field-source.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import { readSite, stateKey } from '../sites/site.ts';
import type { PageIdentity } from './page-registry.ts';

/** A message to fill the fields of a site's pages after `after`, while the fields have this version. */
export type SiteRefill = {
  readonly siteId: string;
  readonly version: string | null;
  readonly after?: PageIdentity | undefined;
  /**
   * Set for the pass over pages that were written during the first one, by writers that had read the earlier settings.
   */
  readonly isSecondPass: boolean;
};

/** Values of the site's `refilled` during and after a refill. */
const running = (version: string | null): string => `running ${version}`;
const done = (version: string | null): string => `done ${version}`;

/** Starts a refill of the site's pages after its metadata schema was set, unless they are filled already. */
export async function startRefill(
  siteId: string,
  { table, queue }: { readonly table: Table; readonly queue: Queue },
): Promise<void> {
  const site = await readSite(siteId, table);
  if (!site) return;
  const version = sourcedFields(site.settings.metadataSchema).version ?? null;
  if ((site.state.refilled ?? done(null)) === done(version)) return;
  // Written before the message. If the message is lost, the next change of the schema sends one.
  await table.update(stateKey(siteId), { set: { refilled: running(version) }, when: { exists: true } });
  await sendRefill({ siteId, version, isSecondPass: false }, queue);
}

export const sendRefill = (message: SiteRefill, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('refill-pages', { body: JSON.stringify(message), delaySeconds });

/** Ends the refill, unless another has begun since. */
export async function endRefill({ siteId, version }: SiteRefill, table: Table): Promise<void> {
  await table.update(stateKey(siteId), {
    set: { refilled: done(version) },
    when: { equals: { refilled: running(version) } },
  });
}
