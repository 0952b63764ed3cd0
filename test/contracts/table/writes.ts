import { expect, it } from '@jest/globals';
import type { Change } from '../../../lambdas/domain/ports/table.ts';
import { type Access, aMinute, newKey, now, stored } from './access.ts';

export function writes(access: Access): void {
  it('a write makes changes of every kind together', async () => {
    const { pk } = newKey();
    const key = (sk: string) => ({ pk, sk });
    await access.get().putMany(['updated', 'removed', 'checked'].map((sk) => ({ ...key(sk), n: 1 })));
    const refused = await access
      .get()
      .write([
        { put: { ...key('put'), n: 9 } },
        { update: key('updated'), add: { n: 1 }, set: { s: 'x' }, when: { equals: { n: 1 } } },
        { update: key('made'), set: { s: 'y' } },
        { remove: key('removed'), when: { exists: true } },
        { remove: key('never there') },
        { check: key('checked'), when: { equals: { n: 1 } } },
      ]);
    expect(refused).toEqual([]);
    expect((await access.get().query(pk, { limit: 10 })).items).toEqual([
      { ...key('checked'), n: 1 },
      { ...key('made'), s: 'y' },
      { ...key('put'), n: 9 },
      { ...key('updated'), n: 2, s: 'x' },
    ]);
  });

  it('a write changes nothing when one condition fails, and answers the change objects that failed', async () => {
    const { pk } = newKey();
    const key = (sk: string) => ({ pk, sk });
    await access.get().putMany([
      { ...key('b'), n: 1 },
      { ...key('d'), n: 1 },
    ]);
    const changes: readonly Change[] = [
      { put: key('a'), when: { exists: false } },
      { put: key('b'), when: { exists: false } },
      { update: key('c'), set: { n: 2 } },
      { remove: key('d'), when: { equals: { n: 2 } } },
      { check: key('e'), when: { exists: true } },
    ];
    const refused = await access.get().write(changes);
    expect(refused.map((change) => changes.indexOf(change))).toEqual([1, 3, 4]);
    expect((await access.get().query(pk, { limit: 10 })).items).toEqual([
      { ...key('b'), n: 1 },
      { ...key('d'), n: 1 },
    ]);
  });

  it('a write accepts 100 changes in several partitions', async () => {
    const keys = Array.from({ length: 100 }, newKey);
    expect(await access.get().write(keys.map((key) => ({ put: { ...key, n: 1 }, when: { exists: false } })))).toEqual(
      [],
    );
    expect((await access.get().getMany(keys)).map((item) => item?.n)).toEqual(keys.map(() => 1));
  });

  it('a write fails harmlessly when it is repeated with the same conditions', async () => {
    const key = newKey();
    const change = { put: { ...key, n: 1 }, when: { exists: false } };
    expect([await access.get().write([change]), await access.get().write([change])]).toEqual([[], [change]]);
  });

  it('a write accepts no changes', async () => {
    expect(await access.get().write([])).toEqual([]);
  });
}

export function concurrency(access: Access): void {
  it('loses none of 300 additions', async () => {
    const key = newKey();
    const sums = await Promise.all(Array.from({ length: 300 }, () => access.get().update(key, { add: { n: 1 } })));
    expect(new Set(sums.map((item) => item?.n)).size).toBe(300);
    expect(await access.get().get(key)).toEqual({ ...key, n: 300 });
  });

  it('gives a lock to exactly one of 50 callers', async () => {
    const { pk } = newKey();
    const lock = { pk, sk: 'LOCK' };
    const callers = Array.from({ length: 50 }, async (_, caller) => {
      const refused = await access
        .get()
        .write([
          { update: lock, set: { holder: caller }, when: { equals: { holder: null } } },
          { put: { pk, sk: `CALLER#${caller}` } },
        ]);
      return refused.length === 0 ? [caller] : [];
    });
    const winners = (await Promise.all(callers)).flat();
    expect(winners).toHaveLength(1);
    expect(await access.get().get(lock)).toEqual({ ...lock, holder: winners[0] });
    expect((await access.get().query(pk, { prefix: 'CALLER#', limit: 100 })).items).toHaveLength(1);
  });

  it('shows a write to every read that starts after its answer', async () => {
    for (let n = 0; n < 20; n++) {
      const key = await stored(access.get(), { n });
      const [one, many, page] = await Promise.all([
        access.get().get(key),
        access.get().getMany([key]),
        access.get().query(key.pk, { limit: 1 }),
      ]);
      expect([one?.n, many[0]?.n, page.items[0]?.n]).toEqual([n, n, n]);
    }
  });
}

export function counters(access: Access): void {
  const expiresAt = now() + aMinute;

  it('counters start at 0, and answer the new count', async () => {
    const [one, other] = [newKey(), newKey()];
    const counts: (number | undefined)[] = [];
    for (const by of [0, 1, 2, 0, 5]) counts.push(await access.get().count(one, { by, expiresAt }));
    expect(counts).toEqual([0, 1, 3, 3, 8]);
    expect(await access.get().count(other, { by: 0, expiresAt })).toBe(0);
    expect(await access.get().count({ ...one, sk: 'OTHER' }, { by: 1, expiresAt })).toBe(1);
  });

  it('counters add nothing beyond `atMost`', async () => {
    const key = newKey();
    const add = (by: number, atMost: number) => access.get().count(key, { by, atMost, expiresAt });
    expect([await add(3, 2), await add(3, 3), await add(1, 3), await add(1, 0)]).toEqual([
      ...[undefined, 3, undefined, undefined],
    ]);
    expect([await add(2, 4), await add(2, 5), await access.get().count(key, { by: 0, expiresAt })]).toEqual([
      ...[undefined, 5, 5],
    ]);
  });

  it('counters admit exactly `atMost` of 100 additions at once', async () => {
    const key = newKey();
    const attempts = Array.from({ length: 100 }, () => access.get().count(key, { by: 1, atMost: 60, expiresAt }));
    const counts = (await Promise.all(attempts)).filter((count) => count !== undefined);
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  });

  it('counters reject what is no count', async () => {
    for (const by of [-1, 1.5, Number.NaN])
      await expect(access.get().count(newKey(), { by, expiresAt })).rejects.toThrow(RangeError);
    await expect(access.get().count({ pk: '', sk: 'x' }, { by: 1, expiresAt })).rejects.toThrow(RangeError);
    await expect(access.get().count(newKey(), { by: 1, expiresAt: Number.NaN })).rejects.toThrow(RangeError);
  });
}
