import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from '@jest/globals';
import type { LoggedEvent } from '../../../lambdas/domain/ports/logged-event.ts';
import { eventLogStore } from '../../../local/sqlite/event-log-store.ts';
import { EVENT_SCHEMA } from '../../../local/sqlite/event-schema.ts';

const DAY = '2026-11-24';
const NOON = Date.parse(`${DAY}T12:00:00Z`);
const DAY_MS = 86_400_000;
const TODAY = { from: DAY, to: DAY };
const EVER = { from: '2026-11-01', to: '2026-12-31' };
const site = { orgId: 'org', siteId: 'site' };

let database: DatabaseSync;
let store: ReturnType<typeof eventLogStore>;
let lastId = 0;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(EVENT_SCHEMA);
  store = eventLogStore(database, { queries: 3, length: 500 });
});

const search = (query: string, more: object = {}, scope: object = site): LoggedEvent =>
  ({ id: `${++lastId}`, at: NOON, ...scope, type: 'search', query, results: 1, ...more }) as LoggedEvent;
const searches = (queries: string, more: object = {}, scope: object = site) =>
  queries.split(' ').map((query) => search(query, more, scope));
const top = (scope: { readonly orgId: string; readonly siteId?: string } = site, period = TODAY) =>
  Object.fromEntries(
    store.queries(scope, period, { by: 'searches', limit: 10 }).map(({ query, searches }) => [query, searches]),
  );
const rows = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;

it('counts the first queries of a day, and further ones in the totals alone', () => {
  store.append(searches('a b a c d e'));
  store.append(searches('d a f'));
  expect(top()).toEqual({ a: 3, b: 1, c: 1 });
  expect(top({ orgId: 'org' })).toEqual({ a: 3, b: 1, c: 1 });
  expect(store.days(site, TODAY)).toMatchObject([{ searches: 9 }]);
  expect(rows('counted_query')).toBe(6); // of the site and of its organisation
});

it('counts an event that is appended again neither by query nor in the totals', () => {
  const events = searches('a b c d');
  store.append(events);
  store.append(events);
  expect(top()).toEqual({ a: 1, b: 1, c: 1 });
  expect(store.days(site, TODAY)).toMatchObject([{ searches: 4 }]);
});

it('counts queries again on the next day, and for other sites and groups', () => {
  store.append(searches('a b c d'));
  store.append(searches('d e', { at: NOON + DAY_MS }));
  store.append(searches('x y', {}, { orgId: 'org', siteId: 'other' }));
  store.append(searches('p q r s', {}, { orgId: 'org' }));
  expect(top(site, EVER)).toEqual({ a: 1, b: 1, c: 1, d: 1, e: 1 });
  expect(top({ orgId: 'org' })).toEqual({ a: 1, b: 1, c: 1, x: 1, y: 1, p: 1, q: 1, r: 1 });
});

it('always counts queries of several visitors', () => {
  store.append(Array.from({ length: 5 }, (_, n) => search('popular', { visitor: `v${n}`, at: NOON - DAY_MS })));
  store.append(searches('a b c d popular'));
  expect(top()).toEqual({ a: 1, b: 1, c: 1, popular: 1 });
});

it('stores no visitor for a query that is not counted', () => {
  store.append(searches('a b c d e', { visitor: 'v' }));
  expect(rows('query_visitor')).toBe(3);
});

it('stores the texts of events up to a length, and counts all events', () => {
  const click = { type: 'click', url: `https://a.example/${'x'.repeat(600)}`, position: 1 };
  store.append([search('first', click)]);
  store.append([search('first', click), search('second')]);
  const bodies = database.prepare('SELECT body FROM event ORDER BY id').all();
  expect(bodies.map(({ body }) => Object.keys(JSON.parse(String(body))))).toEqual([
    ['at', 'type', 'query', 'results', 'url', 'position'],
    ['at', 'type', 'results', 'position'],
    ['at', 'type', 'results'],
  ]);
  expect(store.days(site, TODAY)).toMatchObject([{ clicks: 2, searches: 1 }]);
});

it('removes its data of a day with the site', () => {
  store.append(searches('a b c d'));
  while (!store.removeSite('site', 2));
  for (const table of ['event', 'counted_query', 'query_day', 'day_room'])
    expect([table, rows(table)]).toEqual([table, 0]);
});
