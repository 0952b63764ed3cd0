import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COUNT_DAYS, EVENT_DAYS, type EventLog } from '../../lambdas/domain/ports/event-log.ts';
import type { LoggedEvent } from '../../lambdas/domain/ports/logged-event.ts';
import { NO_COUNTS } from '../../lambdas/domain/ports/rules/event-counts.ts';

export type OpenedEventLog = {
  readonly eventLog: EventLog;
  /** Makes what was appended visible. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

const TODAY = '2026-11-24';
/** Noon of the day of the tests, in epoch milliseconds. */
export const NOON = Date.parse(`${TODAY}T12:00:00Z`);
const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(NOON - days * DAY_MS).toISOString().slice(0, 10);
const MONTH = { from: dayBefore(29), to: TODAY };

type Site = { readonly orgId: string; readonly siteId: string };
const newSite = (orgId: string = randomUUID()): Site => ({ orgId, siteId: randomUUID() });

type Details = LoggedEvent extends infer Event ? (Event extends LoggedEvent ? Partial<Event> : never) : never;

const event = (scope: { readonly orgId: string; readonly siteId?: string }, details: Details): LoggedEvent =>
  ({ id: randomUUID(), at: NOON, ...scope, ...details }) as LoggedEvent;

const search = (scope: { readonly orgId: string; readonly siteId?: string }, query: string, more: object = {}) =>
  event(scope, { type: 'search', query, results: 3, ...more });

const repeat = <T>(times: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: times }, (_, n) => make(n));

export function eventLogContract(name: string, open: () => Promise<OpenedEventLog>): void {
  describe(`EventLog on ${name}`, () => {
    let opened: OpenedEventLog;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const append = async (events: readonly LoggedEvent[]): Promise<void> => {
      await opened.eventLog.append(events);
      await opened.settle();
    };
    const top = (scope: { readonly orgId: string; readonly siteId?: string }, limit = 10, period = MONTH) =>
      opened.eventLog.queries(scope, period, { by: 'searches', limit });

    const removeExpired = async (): Promise<void> => {
      for (let steps = 0; !(await opened.eventLog.removeExpired(TODAY, 100)); steps++)
        if (steps > 100) throw new Error('it does not end');
      await opened.settle();
    };

    it('counts each kind of event by day, for the site and for its organisation', async () => {
      const site = newSite();
      await append([
        search(site, 'one'),
        search(site, 'two', { results: 0 }),
        search(site, 'cached', { results: undefined }),
        event(site, { type: 'chat', query: 'why', refused: true, degraded: false, tokens: 10, savedTokens: 0 }),
        event(site, {
          type: 'chat',
          query: 'how',
          refused: false,
          degraded: true,
          tokens: 5,
          savedTokens: 7,
          model: 'm',
        }),
        event(site, { type: 'click', query: 'one', url: 'https://a.example/', position: 3 }),
        event(site, { type: 'feedback', query: 'how', helpful: true, comment: 'thanks' }),
        event(site, { type: 'feedback', helpful: false }),
        search(site, 'one', { at: NOON - DAY_MS }),
      ]);
      const expected = [
        { ...NO_COUNTS, day: dayBefore(1), searches: 1 },
        {
          day: TODAY,
          searches: 3,
          emptySearches: 1,
          clicks: 1,
          clickPositions: 3,
          chats: 2,
          refusedChats: 1,
          degradedChats: 1,
          tokens: 15,
          savedTokens: 7,
          helpful: 1,
          unhelpful: 1,
        },
      ];
      expect(await opened.eventLog.days(site, MONTH)).toEqual(expected);
      expect(await opened.eventLog.days({ orgId: site.orgId }, MONTH)).toEqual(expected);
    });

    it('counts an event once, however often it is appended', async () => {
      const site = newSite();
      const events = [search(site, 'once'), search(site, 'once'), search(site, 'twice')];
      await append([...events, ...events]);
      await append(events);
      await append([...events, search(site, 'once')]);
      expect(await opened.eventLog.days(site, MONTH)).toMatchObject([{ searches: 4 }]);
      expect(await top(site)).toMatchObject([
        { query: 'once', searches: 3 },
        { query: 'twice', searches: 1 },
      ]);
    });

    it('counts events of a group for the organisation, and of no site', async () => {
      const site = newSite();
      await append([search(site, 'own'), search({ orgId: site.orgId }, 'of the group')]);
      expect(await opened.eventLog.days({ orgId: site.orgId }, MONTH)).toMatchObject([{ searches: 2 }]);
      expect(await opened.eventLog.sites(site.orgId, MONTH)).toMatchObject([{ siteId: site.siteId, searches: 1 }]);
      expect(await top(site)).toHaveLength(1);
      expect(await top({ orgId: site.orgId })).toHaveLength(2);
    });

    it('separates organisations and sites', async () => {
      const [one, other] = [newSite(), newSite()];
      const sibling = newSite(one.orgId);
      await append([search(one, 'a'), search(other, 'b'), search(sibling, 'a'), search(sibling, 'c')]);
      expect(await opened.eventLog.days(one, MONTH)).toMatchObject([{ searches: 1 }]);
      expect(await opened.eventLog.days({ ...one, orgId: other.orgId }, MONTH)).toEqual([]);
      expect(await top({ orgId: one.orgId })).toMatchObject([
        { query: 'a', searches: 2 },
        { query: 'c', searches: 1 },
      ]);
      const sites = await opened.eventLog.sites(one.orgId, MONTH);
      expect(new Map(sites.map(({ siteId, searches }) => [siteId, searches]))).toEqual(
        new Map([
          [one.siteId, 1],
          [sibling.siteId, 2],
        ]),
      );
    });

    it('returns only the days of the period, including both ends', async () => {
      const site = newSite();
      const at = [0, 6, 7].map((days) => Date.parse(`${dayBefore(days)}T23:59:59.999Z`));
      await append([
        ...at.map((time) => search(site, 'late', { at: time })),
        search(site, 'early', { at: Date.parse(dayBefore(6)) }),
      ]);
      const week = { from: dayBefore(6), to: TODAY };
      expect((await opened.eventLog.days(site, week)).map(({ day, searches }) => [day, searches])).toEqual([
        [dayBefore(6), 2],
        [TODAY, 1],
      ]);
      expect(await top(site, 10, week)).toMatchObject([
        { query: 'late', searches: 2 },
        { query: 'early', searches: 1 },
      ]);
      expect(await opened.eventLog.sites(site.orgId, week)).toMatchObject([{ searches: 3 }]);
    });

    it('lists queries by searches, by searches without a result, and by refused questions', async () => {
      const site = newSite();
      await append([
        ...repeat(3, () => search(site, 'found')),
        ...repeat(2, () => search(site, 'lost', { results: 0 })),
        event(site, { type: 'click', query: 'found', url: 'https://a.example/', position: 1 }),
        event(site, { type: 'chat', query: 'why', refused: true, degraded: false, tokens: 0, savedTokens: 0 }),
        event(site, { type: 'chat', query: 'found', refused: false, degraded: false, tokens: 0, savedTokens: 0 }),
      ]);
      const lists = await Promise.all(
        (['searches', 'emptySearches', 'refusedChats'] as const).map((by) =>
          opened.eventLog.queries(site, MONTH, { by, limit: 10 }),
        ),
      );
      const found = { query: 'found', searches: 3, emptySearches: 0, clicks: 1, refusedChats: 0 };
      const lost = { query: 'lost', searches: 2, emptySearches: 2, clicks: 0, refusedChats: 0 };
      const why = { query: 'why', searches: 0, emptySearches: 0, clicks: 0, refusedChats: 1 };
      expect(lists).toEqual([[found, lost], [lost], [why]]);
    });

    it('sorts queries of equal counts by their text', async () => {
      const site = newSite();
      await append(['c', 'a', 'b'].map((query) => search(site, query)));
      expect((await top(site, 2)).map(({ query }) => query)).toEqual(['a', 'b']);
    });

    it('stores any text of a query', async () => {
      const site = newSite();
      const texts = [
        '',
        ' ',
        "'; drop table event; --",
        '\u0000',
        '東京',
        'é',
        'x'.repeat(2048),
        '😀'.repeat(500),
        '"a\\',
      ];
      await append(texts.map((query) => search(site, query)));
      expect(new Set((await top(site, 20)).map(({ query }) => query))).toEqual(new Set(texts));
    });

    it('finds the queries that are most frequent over all days, with their exact counts', async () => {
      const site = newSite();
      const names = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: 1500, seed: 23 });
      const events = names.map((n, index) =>
        search(site, `query ${Math.floor(n ** 2 / 60)}`, { at: NOON - (index % 30) * DAY_MS }),
      );
      const counts = new Map<string, number>();
      for (const { query } of events as readonly { readonly query: string }[])
        counts.set(query, (counts.get(query) ?? 0) + 1);
      await append(events);
      const expected = [...counts].toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1)).slice(0, 10);
      expect((await top(site)).map(({ query, searches }) => [query, searches])).toEqual(expected);
    });

    it('suggests queries that five visitors searched for within a day', async () => {
      const site = newSite();
      const visits = (query: string, visitors: number, more: object = {}) =>
        repeat(visitors, (n) => search(site, query, { visitor: `visitor-${n}`, ...more }));
      await append([
        ...visits('gopher holes', 5),
        ...visits('gopher food', 6),
        ...visits('gophers at night', 4),
        ...repeat(9, () => search(site, 'gopher, one visitor', { visitor: 'same' })),
        ...repeat(9, () => search(site, 'gopher, unknown visitors')),
        ...repeat(5, (n) => search(site, 'gopher, one a day', { visitor: `v${n}`, at: NOON - n * DAY_MS })),
        ...visits('gopher long ago', 5, { at: NOON - 40 * DAY_MS }),
        ...visits('gopher without results', 8, { results: 0 }),
        ...visits('goose', 7),
      ]);
      const frequent = (prefix: string, limit = 10) => opened.eventLog.frequentQueries(site, MONTH, { prefix, limit });
      expect(await frequent('gopher')).toEqual(['gopher food', 'gopher holes']);
      expect(await frequent('go', 2)).toEqual(['goose', 'gopher food']);
      expect(await frequent('gopher.*')).toEqual([]);
      expect(await frequent('')).toHaveLength(3);
      expect(await opened.eventLog.frequentQueries(newSite(), MONTH, { prefix: 'go', limit: 1 })).toEqual([]);
    });

    it('counts visitors over several appends', async () => {
      const site = newSite();
      for (const n of [1, 2, 3, 4]) await append([search(site, 'slow', { visitor: `v${n}` })]);
      const frequent = () => opened.eventLog.frequentQueries(site, MONTH, { prefix: 'slow', limit: 10 });
      expect(await frequent()).toEqual([]);
      await append([search(site, 'slow', { visitor: 'v1' })]);
      expect(await frequent()).toEqual([]);
      await append([search(site, 'slow', { visitor: 'v5' })]);
      expect(await frequent()).toEqual(['slow']);
    });

    it('removes the events of a site with their counts, also from those of the organisation', async () => {
      const [removed, kept] = [newSite(), newSite()];
      const sibling = newSite(removed.orgId);
      const both = (query: string) => [search(removed, query), search(sibling, query)];
      await append([
        ...repeat(60, (n) => both(`shared ${n % 7}`)).flat(),
        ...repeat(50, (n) => search(removed, `own ${n}`, { at: NOON - (n % 20) * DAY_MS })),
        search(kept, 'kept'),
      ]);
      for (let steps = 0; !(await opened.eventLog.removeSite(removed.siteId, 20)); steps++)
        if (steps > 50) throw new Error('it does not end');
      await opened.settle();
      expect(await opened.eventLog.removeSite(removed.siteId, 20)).toBe(true);
      expect(await top(removed)).toEqual([]);
      expect(await opened.eventLog.sites(removed.orgId, MONTH)).toMatchObject([
        { siteId: sibling.siteId, searches: 60 },
      ]);
      const ofOrganisation = await top({ orgId: removed.orgId }, 100);
      expect(ofOrganisation).toEqual(await top(sibling, 100));
      expect(ofOrganisation).toHaveLength(7);
      const days = await opened.eventLog.days({ orgId: removed.orgId }, MONTH);
      expect(days.reduce((sum, { searches }) => sum + searches, 0)).toBe(60);
      expect(await top(kept)).toHaveLength(1);
    });

    it('counts agents apart from people, and their failures as questions without an answer, until their site is removed', async () => {
      const people = newSite();
      const agents = { ...people, orgId: `${people.orgId}#agents` };
      const feedback = (helpful: boolean): LoggedEvent =>
        event(agents, { type: 'feedback', query: 'how to', helpful, agent: true });
      await append([
        search(people, 'shared'),
        search(agents, 'shared', { results: 0 }),
        event(people, { type: 'feedback', query: 'by a person', helpful: false }),
        feedback(false),
        feedback(true),
      ]);
      expect(await opened.eventLog.days(people, MONTH)).toEqual([
        { ...NO_COUNTS, day: TODAY, searches: 1, unhelpful: 1 },
      ]);
      expect(await opened.eventLog.days(agents, MONTH)).toEqual([
        { ...NO_COUNTS, day: TODAY, searches: 1, emptySearches: 1, helpful: 1, unhelpful: 1, refusedChats: 1 },
      ]);
      const unanswered = await opened.eventLog.queries(agents, MONTH, { by: 'refusedChats', limit: 5 });
      expect(unanswered).toMatchObject([{ query: 'how to', refusedChats: 1 }]);
      expect(await opened.eventLog.sites(people.orgId, MONTH)).toMatchObject([{ searches: 1 }]);
      while (!(await opened.eventLog.removeSite(people.siteId, 1)));
      await opened.settle();
      for (const scope of [people, agents]) expect(await opened.eventLog.days(scope, MONTH)).toEqual([]);
    });

    it('counts the same after expired events are removed, and events that arrive late', async () => {
      const site = newSite();
      const at = NOON - 10 * DAY_MS;
      const visits = (visitors: number) => repeat(visitors, (n) => search(site, 'early', { at, visitor: `v${n}` }));
      const click = event(site, { type: 'click', query: 'early', url: 'https://a.example/', position: 2, at });
      const first = [...visits(5), click, search(site, 'today')];
      await append(first);
      const read = () =>
        Promise.all([
          opened.eventLog.days(site, MONTH),
          opened.eventLog.sites(site.orgId, MONTH),
          top(site),
          top({ orgId: site.orgId }),
          opened.eventLog.frequentQueries(site, MONTH, { prefix: 'e', limit: 10 }),
        ]);
      const before = await read();
      expect(before).toMatchObject([
        [{ searches: 5, clicks: 1 }, {}],
        [{ searches: 6 }],
        [{ searches: 5 }, {}],
        [{}, {}],
        ['early'],
      ]);
      await removeExpired();
      expect(await read()).toEqual(before);
      await append([...first, search(site, 'early', { at }), search(site, 'late', { at })]);
      await removeExpired();
      const [days, sites, queries, , frequent] = await read();
      expect(days).toMatchObject([{ searches: 7, clicks: 1, clickPositions: 2 }, { searches: 1 }]);
      expect(sites).toMatchObject([{ searches: 8 }]);
      expect(queries).toMatchObject([
        { query: 'early', searches: 6, clicks: 1 },
        { query: 'late', searches: 1 },
        { query: 'today', searches: 1 },
      ]);
      expect(frequent).toEqual(['early']);
    });

    it('keeps events for 90 days and counts for 25 months', async () => {
      const site = newSite();
      const ages = [0, EVENT_DAYS, EVENT_DAYS + 1, COUNT_DAYS, COUNT_DAYS + 1];
      const old = ages.map((age) => search(site, `${age} days old`, { at: NOON - age * DAY_MS }));
      await append(old);
      await removeExpired();
      const ever = { from: dayBefore(COUNT_DAYS + 10), to: TODAY };
      expect((await opened.eventLog.days(site, ever)).map(({ day }) => day)).toEqual(
        [COUNT_DAYS, EVENT_DAYS + 1, EVENT_DAYS, 0].map(dayBefore),
      );
      const year = { from: dayBefore(364), to: TODAY };
      expect((await top(site, 10, year)).map(({ query }) => query).toSorted()).toEqual(
        [0, EVENT_DAYS, EVENT_DAYS + 1].map((age) => `${age} days old`).toSorted(),
      );
    });
  });
}
