/*
 * Measures an event log of EVENTS searches (10,000,000 by default) over 30 days on SQLite, or on OpenSearch with
 * OPENSEARCH_URL: how fast it is filled and read, what logging costs a search, and whether the sums are right.
 *
 *     npm run bench -- events
 */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { eventLog } from '#adapters/event-log';
import { table } from '#adapters/table';
import { analytics } from '../lambdas/domain/analytics/analytics.ts';
import type { LoggedEvent } from '../lambdas/domain/ports/logged-event.ts';
import { dayOf, periodOf } from '../lambdas/domain/ports/rules/days.ts';
import { sumOf } from '../lambdas/domain/ports/rules/event-counts.ts';
import { createOrganisation } from '../lambdas/domain/sites/access/organisation.ts';
import { createSite } from '../lambdas/domain/sites/manage-sites.ts';
import { logSearch } from '../lambdas/runtime/event-logging.ts';
import { newId } from '../lambdas/runtime/system.ts';
import { closeStore, openStore } from '../local/threads/open-store.ts';
import { store } from '../local/threads/store.ts';
import { SeededRandom } from '../test/simulation/seeded-random.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { report } from './support/figures.ts';

const EVENTS = Number(process.env.EVENTS ?? 10_000_000);
const SITES = 5;
const DAYS = 30;
const DAY_MS = 86_400_000;
/** The number of frequent queries. In addition, a tenth of the searches has a unique query. */
const QUERIES = 100_000;
const BATCH = 50_000;
const RUNS = 20;

const folder = temporaryFolder();
await openStore(folder.path);
const clock = () => Date.now();
const orgId = newId();
await createOrganisation({ orgId, name: 'Bench', plan: 'enterprise' }, { table, clock });
const siteIds: string[] = [];
for (let n = 0; n < SITES; n++) {
  const request = { name: `Site ${n}`, baseUrl: `https://site-${n}.example/` };
  const { settings } = await createSite(request, { orgId, plan: 'enterprise' }, { table, clock, newId });
  siteIds.push(settings.siteId);
}

const random = new SeededRandom(23);
const fraction = () => random.int(0, 2 ** 30) / 2 ** 30;
/** Returns a query. By Zipf's law, the n-th query is searched for 1/n times as often as the first. */
const queryOf = (index: number): string =>
  fraction() < 0.1 ? `rare query ${index}` : `query ${Math.floor(QUERIES ** fraction())}`;
const now = clock();

function eventAt(index: number): LoggedEvent {
  const at = now - Math.floor((1 - index / EVENTS) * DAYS * DAY_MS * 0.96);
  const query = queryOf(index);
  const siteId = siteIds[index % SITES] as string;
  return {
    id: newId(),
    at,
    orgId,
    siteId,
    type: 'search',
    query,
    results: index % 9,
    visitor: `visitor ${index % 997}`,
  };
}

/** Appends to SQLite in larger batches than the service may, because nothing else waits here. */
const append = (events: readonly LoggedEvent[]): Promise<void> =>
  process.env.OPENSEARCH_URL ? eventLog.append(events) : store().write.eventLog.append(events);
const filled = performance.now();
let appending = 0;
for (let index = 0; index < EVENTS; ) {
  const batch = Array.from({ length: Math.min(BATCH, EVENTS - index) }, () => eventAt(index++));
  const started = performance.now();
  await append(batch);
  appending += performance.now() - started;
  if (index % 1_000_000 === 0) console.error(`${index} events, ${Math.round((performance.now() - filled) / 1000)} s`);
}

async function timed(run: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 1000) / 1000;
  return { p50: at(0.5), p95: at(0.95), most: at(1) };
}

const rolledUp = performance.now();
while (!(await eventLog.removeExpired(dayOf(clock()), 500)));
const rollUpSeconds = Math.round((performance.now() - rolledUp) / 1000);

const scope = { orgId, siteId: siteIds[0] as string };
const month = periodOf(`${DAYS}d`, clock);
const deps = { table, eventLog, clock };
const caller = { orgId };
const total = sumOf(await eventLog.days({ orgId }, month)).searches;
assert.equal(total, EVENTS);
const batch = () => Array.from({ length: 100 }, (_, n) => ({ ...eventAt(EVENTS - 1 - n), at: clock() }));
const search = { query: 'how does a crawl survive a crash', offset: 0, results: 3 };

report({
  'events appended a second': { p50: Math.round((EVENTS / appending) * 1000) },
  'ended days rolled up in, s': { p50: rollUpSeconds },
  'file, MB': { p50: Math.round(statSync(join(folder.path, 'site-search.sqlite')).size / 1e6) },
  'analytics of the organisation, 30 days, ms': await timed(() => analytics({ range: '30d' }, caller, deps)),
  'analytics of a site, 30 days, ms': await timed(() =>
    analytics({ range: '30d', siteId: scope.siteId }, caller, deps),
  ),
  'analytics of the organisation, 365 days, ms': await timed(() => analytics({ range: '365d' }, caller, deps)),
  'days of a site, ms': await timed(() => eventLog.days(scope, month)),
  'top 100 queries of a site, ms': await timed(() => eventLog.queries(scope, month, { by: 'searches', limit: 100 })),
  'frequent queries of a site, ms': await timed(() =>
    eventLog.frequentQueries(scope, month, { prefix: 'query 1', limit: 5 }),
  ),
  'append 100 events, ms': await timed(() => eventLog.append(batch())),
  'what logging adds to a search, ms': await timed(() => logSearch({ ...scope, address: '192.0.2.1' }, search)),
});
await closeStore();
folder.remove();
