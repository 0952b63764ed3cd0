import { setTimeout as delay } from 'node:timers/promises';
import {
  compareSite,
  type FaultyPage,
  PAGE_FAULTS,
  type SiteComparison,
} from '../../lambdas/domain/pages/compare-site.ts';
import { repairCount, repairSite } from '../../lambdas/domain/pages/repair-site.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { retryWhileUnavailable } from '../../lambdas/domain/retry.ts';
import { nextSite } from '../../lambdas/domain/sites/site-directory.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { type AdminStores, openAdminStores } from './open-stores.ts';

/**
 * The pause between two looks. Pages that are being written look faulty for a moment, so only a fault seen twice
 * counts.
 */
const SECOND_LOOK_MS = 3000;
/** The longest wait for a file that the server has locked for a moment, or for an engine that restarts. */
const MAX_WAIT_MS = 10_000;
const FIRST_WAIT_MS = 100;
const MAX_EXAMPLES = 5;

type CheckOptions = {
  readonly siteId: string | undefined;
  readonly repair: boolean;
  readonly stack: string | undefined;
};
type CheckDeps = AdminStores & { readonly table: Table };

/** Compares registry, page store and index, of one site or all sites. Repairs differences with `repair`. */
export async function check({ siteId, repair, stack }: CheckOptions, table: Table) {
  const stores = await openAdminStores(stack, table);
  try {
    const deps = { ...stores, table };
    const sites: object[] = [];
    let agrees = true;
    for await (const id of siteIds(siteId, table)) {
      const found = await confirmed(id, deps);
      if (!found) continue;
      const left = repair && !isWell(found) ? await repaired(found, deps) : found;
      agrees &&= isWell(left);
      sites.push({ ...view(found), ...(left !== found && { repaired: isWell(left), left: faultsOf(left) }) });
    }
    if (siteId !== undefined && sites.length === 0) throw new Error(`There is no site ${siteId}: check the id`);
    return { agrees, sites };
  } finally {
    stores.close();
  }
}

async function* siteIds(only: string | undefined, table: Table): AsyncGenerator<string> {
  if (only !== undefined) yield only;
  else for (let id = await nextSite(undefined, table); id !== undefined; id = await nextSite(id, table)) yield id;
}

async function confirmed(siteId: string, deps: CheckDeps): Promise<SiteComparison | undefined> {
  const first = await patiently(() => compareSite(siteId, deps));
  if (!first || isWell(first)) return first;
  await delay(SECOND_LOOK_MS);
  const second = await patiently(() => compareSite(siteId, deps));
  const name = ({ fault, urlHash }: FaultyPage) => `${fault} ${urlHash}`;
  const before = new Set(first.faulty.map(name));
  return second && { ...second, faulty: second.faulty.filter((page) => before.has(name(page))) };
}

const patiently = <T>(attempt: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(attempt, {
    clock,
    sleep: delay,
    firstWaitMs: FIRST_WAIT_MS,
    deadline: clock() + MAX_WAIT_MS,
  });

async function repaired(found: SiteComparison, deps: CheckDeps): Promise<SiteComparison> {
  await repairSite(found, { ...deps, clock });
  const pages = await compareSite(found.siteId, deps);
  if (!pages) return found;
  await repairCount(pages, deps);
  return (await compareSite(found.siteId, deps)) ?? pages;
}

const isMiscounted = ({ isBusy, pages, pageCount }: SiteComparison): boolean => !isBusy && pages !== pageCount;
const isWell = (site: SiteComparison): boolean => site.faulty.length === 0 && !isMiscounted(site);

const view = ({ siteId, pages, pageCount, texts, entries, ...site }: SiteComparison): object => ({
  siteId,
  pages,
  pageCount,
  texts,
  indexed: entries,
  ...faultsOf({ siteId, pages, pageCount, texts, entries, ...site }),
});

/** Returns the number of pages with each fault, and the addresses of some. */
function faultsOf(site: SiteComparison): object {
  const faults = PAGE_FAULTS.flatMap((fault) => {
    const urls = site.faulty.filter((page) => page.fault === fault).map(({ url }) => url);
    return urls.length === 0 ? [] : [[fault, { pages: urls.length, examples: urls.slice(0, MAX_EXAMPLES) }] as const];
  });
  return { faults: { ...Object.fromEntries(faults), ...(isMiscounted(site) && { miscounted: true }) } };
}
