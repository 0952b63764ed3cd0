import type { Clock } from '../clock.ts';
import type { EventReader } from '../ports/event-log.ts';
import { periodOf } from '../ports/rules/days.ts';
import type { SiteSettings } from '../sites/site.ts';
import { countedText } from './mask-personal-data.ts';

const RANGE = '30d';
/** Digits and addresses may identify a person although several people searched for them. */
const MAY_IDENTIFY = /[\p{Nd}@[\]]|:\/\/|www\./u;
/** Those that may identify somebody are left out of these. */
const MOST_READ = 200;

type Site = Pick<SiteSettings, 'orgId' | 'siteId'>;
type Deps = { readonly eventLog: EventReader; readonly clock: Clock };

/**
 * Queries that complete what a visitor types, most frequent first: those for which five visitors or more searched
 * within a day of the last month.
 */
export async function frequentQueries(
  { orgId, siteId }: Site,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
  { eventLog, clock }: Deps,
): Promise<readonly string[]> {
  const read = { prefix: countedText(prefix), limit: MOST_READ };
  const found = await eventLog.frequentQueries({ orgId, siteId }, periodOf(RANGE, clock), read);
  return found.filter((query) => !MAY_IDENTIFY.test(query)).slice(0, limit);
}
