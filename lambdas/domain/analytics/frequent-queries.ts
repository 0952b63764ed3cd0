import type { Clock } from '../clock.ts';
import type { EventReader } from '../ports/event-log.ts';
import { periodOf } from '../ports/rules/days.ts';
import type { SiteSettings } from '../sites/site.ts';
import { countedText } from './mask-personal-data.ts';

const RANGE = '30d';
/** Digits and addresses may identify a person although several people searched for them. */
const MAY_IDENTIFY = /[\p{Nd}@[\]]|:\/\/|www\./u;
/** A person types on: the queries that begin with the first letters are read once. */
const FIRST_LETTERS = 3;
const MOST_READ = 200;
const KEPT_MS = 5_000;
const MOST_KEPT = 500;

type Site = Pick<SiteSettings, 'orgId' | 'siteId'>;
type Deps = { readonly eventLog: EventReader; readonly clock: Clock };
type Kept = { readonly queries: Promise<readonly string[]>; readonly until: number };

/** By site and first letters, the oldest first. */
const kept = new WeakMap<EventReader, Map<string, Kept>>();

/**
 * Queries that complete what a visitor types, most frequent first: those for which five visitors or more searched
 * within a day of the last month.
 */
export async function frequentQueries(
  site: Site,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
  deps: Deps,
): Promise<readonly string[]> {
  const typed = countedText(prefix);
  const start = typed.slice(0, FIRST_LETTERS);
  const common = await keptQueries(site, start, deps);
  const isCut = common.length === MOST_READ && typed !== start;
  const found = isCut ? await readQueries(site, typed, deps) : common.filter((query) => query.startsWith(typed));
  return found.filter((query) => !MAY_IDENTIFY.test(query)).slice(0, limit);
}

function keptQueries(site: Site, start: string, deps: Deps): Promise<readonly string[]> {
  const ofLog = kept.get(deps.eventLog) ?? new Map<string, Kept>();
  kept.set(deps.eventLog, ofLog);
  const name = `${site.siteId} ${start}`;
  const known = ofLog.get(name);
  if (known && known.until > deps.clock()) return known.queries;
  const queries = readQueries(site, start, deps);
  ofLog.delete(name);
  ofLog.set(name, { queries, until: deps.clock() + KEPT_MS });
  const [oldest] = ofLog.keys();
  if (ofLog.size > MOST_KEPT && oldest !== undefined) ofLog.delete(oldest);
  queries.catch(() => ofLog.delete(name));
  return queries;
}

const readQueries = ({ orgId, siteId }: Site, prefix: string, { eventLog, clock }: Deps): Promise<readonly string[]> =>
  eventLog.frequentQueries({ orgId, siteId }, periodOf(RANGE, clock), { prefix, limit: MOST_READ });
