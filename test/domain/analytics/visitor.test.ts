import { describe, expect, it } from '@jest/globals';
import { FrequentQueries } from '../../../lambdas/domain/analytics/frequent-queries.ts';
import { searchEvent } from '../../../lambdas/domain/analytics/new-events.ts';
import { VisitorNames } from '../../../lambdas/domain/analytics/visitor.ts';
import type { Table } from '../../../lambdas/domain/ports/table.ts';
import { newId, randomToken } from '../../../lambdas/runtime/system.ts';
import { eventLog, table } from '../../support/memory/stores.ts';

const DAY_MS = 86_400_000;

describe('a visitor', () => {
  // Today, because the table forgets what has expired by the system time.
  let now = Date.now();
  let secrets = 0;
  const names = () => new VisitorNames({ table, clock: () => now, newSecret: () => `secret ${secrets++}` });

  it('a visitor has one name for a site and a day, in every process', async () => {
    const [one, other] = [names(), names()];
    const [first, again, elsewhere] = await Promise.all([
      one.nameOf('192.0.2.1', 'site'),
      one.nameOf('192.0.2.1', 'site'),
      other.nameOf('192.0.2.1', 'site'),
    ]);
    expect(new Set([first, again, elsewhere]).size).toBe(1);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(await one.nameOf('192.0.2.2', 'site')).not.toBe(first);
    expect(await one.nameOf('192.0.2.1', 'another site')).not.toBe(first);
  });

  it('a visitor has another name on the next day, and yesterday’s secret is deleted', async () => {
    const one = names();
    const before = await one.nameOf('192.0.2.1', 'site');
    now += DAY_MS;
    expect(await one.nameOf('192.0.2.1', 'site')).not.toBe(before);
    const { items } = await table.query('VISITORS', { limit: 10 });
    for (const { sk, expiresAt = Infinity } of items)
      expect(expiresAt * 1000).toBeLessThanOrEqual(Date.parse(sk.slice('SECRET#'.length)) + 3 * DAY_MS);
  });

  it('a visitor is identified by an IPv4 address, or by the network of an IPv6 address', async () => {
    const one = names();
    const nameOf = (address: string) => one.nameOf(address, 'site');
    expect(await nameOf('2001:db8:1:2::1')).toBe(await nameOf('2001:db8:1:ffff::9'));
    expect(await nameOf('2001:db8:1:2::1')).not.toBe(await nameOf('2001:db8:2:2::1'));
    expect(await nameOf('::ffff:192.0.2.1')).toBe(await nameOf('192.0.2.1'));
    expect(await nameOf('')).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('the counter of an address', () => {
  const counter = 'ADDRESS#203.0.113.7#search';
  const now = Date.now();
  const midnight = now - (now % DAY_MS);
  let reads = 0;
  const get: Table['get'] = (key) => {
    reads += 1;
    return table.get(key);
  };
  const newNames = () => new VisitorNames({ table: { ...table, get }, clock: () => now, newSecret: randomToken });

  it('the counter of an address does not contain the address, and is the same in every process', async () => {
    const names = newNames();
    const name = await names.counterName(counter, now);
    expect(name).toMatch(/^ADDRESS#[0-9a-f]{16}$/);
    expect(await newNames().counterName(counter, now)).toBe(name);
    expect(await names.counterName('ADDRESS#203.0.113.7#chat', now)).not.toBe(name);
    expect(await names.counterName('KEY#k#api', now)).toBe('KEY#k#api');
  });

  it('the counter of the minute before midnight is found on the next day', async () => {
    const names = newNames();
    const before = await names.counterName(counter, midnight - 60_000);
    expect(await names.counterName(counter, midnight)).not.toBe(before);
    expect(await newNames().counterName(counter, midnight - 60_000)).toBe(before);
  });

  it('the counter of an address costs one read of the table a day', async () => {
    const names = newNames();
    reads = 0;
    await Promise.all(Array.from({ length: 100 }, (_, n) => names.counterName(`ADDRESS#203.0.113.${n}#search`, now)));
    expect(reads).toBe(1);
  });
});

describe('frequent queries', () => {
  it('frequent queries are those of five visitors, without digits and addresses', async () => {
    const site = { orgId: newId(), siteId: newId() };
    const deps = { clock: Date.now, newId };
    const queries = [
      'Gopher holes',
      'gopher 2',
      'gopher@home',
      'gopher www.example',
      'gopher ada@example.org',
      'gopher of one',
    ];
    const events = queries.flatMap((query) =>
      Array.from({ length: 5 }, (_, n) =>
        searchEvent(site, { query, results: 1, visitor: query.endsWith('one') ? 'one' : `v${n}` }, deps),
      ),
    );
    await eventLog.append(events);
    const frequent = new FrequentQueries({ eventLog, clock: Date.now });
    expect(await frequent.startingWith(site, 'GOPH', 5)).toEqual(['gopher holes']);
    expect(await frequent.startingWith(site, 'x', 5)).toEqual([]);
  });
});
