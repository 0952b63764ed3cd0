import { sourcedFields } from '../../text/fields/field-source.ts';
import { type Clock, steadyClock } from '../clock.ts';
import type { Report } from '../errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Queue } from '../ports/queue.ts';
import { readSite } from '../sites/site.ts';
import { meteredEmbedder } from '../sites/usage/metered-embedder.ts';
import { entriesWithDeadline } from './embed-later.ts';
import { nextPages } from './page-batch.ts';
import type { PageDeps } from './page-writer.ts';
import { refillPages } from './refill-pages.ts';
import { endRefill, type SiteRefill, sendRefill } from './start-refill.ts';

/** Shorter than the function's timeout and the message's visibility timeout. */
const TURN_MS = 60_000;
/** Longer than a slice of a crawl or a request takes. */
const SECOND_PASS_SECONDS = 150;

type RefillSiteDeps = PageDeps & {
  readonly queue: Queue;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly halt: AbortSignal;
  readonly report: Report;
};

/** Refills pages for at most a minute, then sends its message again. Ends if the fields have changed since. */
export async function refillSite(message: SiteRefill, given: RefillSiteDeps): Promise<void> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const { siteId, version, isSecondPass } = message;
  const { table, queue, clock, halt } = deps;
  const site = await readSite(siteId, table);
  const fields = sourcedFields(site?.settings.metadataSchema ?? []);
  if (!site || (fields.version ?? null) !== version) return;
  const scope = { siteId, generation: site.state.generation };
  const deadline = clock() + TURN_MS;
  let after = message.after;
  const embedder = meteredEmbedder(deps.embedder, site.settings.orgId, deps);
  const makeEntries = entriesWithDeadline({ ...deps, embedder });
  do {
    const batch = await nextPages(scope, after, table);
    await refillPages(batch.rows, scope, fields, { ...deps, makeEntries });
    after = batch.next;
  } while (after && clock() < deadline && !halt.aborted);
  if (after) return sendRefill({ ...message, after }, queue);
  const secondPass = { siteId, version, isSecondPass: true };
  return isSecondPass ? endRefill(message, table) : sendRefill(secondPass, queue, SECOND_PASS_SECONDS);
}
