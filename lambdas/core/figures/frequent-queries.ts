import type { SiteSettings } from '../sites/site.ts';
import type { FigureDeps } from './analytics.ts';
import { periodOf } from './days.ts';
import { countedText } from './mask-personal-data.ts';

const RANGE = '30d';
/** More are read, because some are not shown. */
const SPARE = 5;
/** Digits and addresses may identify a person although several people searched for them. */
const MAY_IDENTIFY = /[\p{Nd}@[\]]|:\/\/|www\./u;

/**
 * Queries that complete what a visitor types, most frequent first: those for which five visitors or more searched
 * within a day of the last month.
 */
export async function frequentQueries(
  { orgId, siteId }: Pick<SiteSettings, 'orgId' | 'siteId'>,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
  { eventLog, clock }: Pick<FigureDeps, 'eventLog' | 'clock'>,
): Promise<readonly string[]> {
  const options = { prefix: countedText(prefix), limit: limit + SPARE };
  const found = await eventLog.frequentQueries({ orgId, siteId }, periodOf(RANGE, clock), options);
  return found.filter((query) => !MAY_IDENTIFY.test(query)).slice(0, limit);
}
