import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { holds } from '../../lambdas/domain/ports/rules/condition.ts';
import { withChanges } from '../../lambdas/domain/ports/rules/field-changes.ts';
import type { Condition, FieldChanges, Item, Scalar, Table, Value } from '../../lambdas/domain/ports/table.ts';
import { openTable } from '../engines/open-table.ts';

/* Compares DynamoDB's expressions with the rules in port-rules, which the local adapter executes. */

let table: Table;
let close = async (): Promise<void> => undefined;
beforeAll(async () => {
  ({ close } = await openTable());
  ({ table } = await import('../../lambdas/aws/table.ts'));
});
afterAll(() => close());

const inAnHour = Math.floor(Date.now() / 1000) + 3600;
const field = fc.constantFrom('a', 'b', 'size', 'x.y', '#0', ':0');
const scalar: fc.Arbitrary<Scalar> = fc.constantFrom(null, true, false, '', 'x', '1', 0, 1, -2.5, 1e21);
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom<Value>([], {}, [null, ['x']], { a: { b: 1 } }) },
);
const dictionary = <T>(of: fc.Arbitrary<T>) => fc.dictionary(field, of, { maxKeys: 3 });
const fields = dictionary(value);
const condition: fc.Arbitrary<Condition> = fc.record(
  {
    exists: fc.boolean(),
    equals: dictionary(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))),
    below: dictionary(fc.constantFrom(-3, 0, 1, 1.5)),
  },
  { requiredKeys: [] },
);
const life = fc.constantFrom<'absent' | 'expired' | 'mortal' | 'immortal'>('absent', 'expired', 'mortal', 'immortal');
const expiries = { expired: { expiresAt: 1 }, mortal: { expiresAt: inAnHour }, immortal: {} };

const changes: fc.Arbitrary<FieldChanges> = dictionary(
  fc.oneof(fc.record({ set: value }), fc.constant({ unset: true }), fc.record({ add: fc.constantFrom(1, -0.5) })),
).map((ways) => {
  const of = (way: string) => Object.entries(ways).filter(([, change]) => way in change);
  return {
    set: Object.fromEntries(of('set').map(([name, change]) => [name, 'set' in change ? change.set : null])),
    unset: of('unset').map(([name]) => name),
    add: Object.fromEntries(of('add').map(([name, change]) => [name, 'add' in change ? change.add : 0])),
  };
});

/** Stores an item in a state; `seen` is what a reader must see. */
async function given(state: keyof typeof expiries | 'absent', content: Readonly<Record<string, Value>>) {
  const key = { pk: randomUUID(), sk: 'ITEM' };
  if (state === 'absent') return { key, seen: undefined };
  const item: Item = { ...content, ...key, ...expiries[state] };
  await table.putMany([item]);
  return { key, seen: state === 'expired' ? undefined : item };
}

it('a condition holds as in port-rules', async () => {
  const property = fc.asyncProperty(life, fields, condition, async (state, content, when) => {
    const { key, seen } = await given(state, content);
    const check = { check: key, when };
    expect(await table.write([check])).toEqual(holds(when, seen) ? [] : [check]);
  });
  await fc.assert(property, { numRuns: 300 });
});

it('an update changes an item as in port-rules, alone and in a write', async () => {
  const property = fc.asyncProperty(life, fields, condition, changes, async (state, content, when, change) => {
    const [one, other] = [await given(state, content), await given(state, content)];
    const wanted = expectedItem(one.key, one.seen, { ...change, when });
    if (wanted === 'rejected') {
      await expect(table.update(one.key, { ...change, when })).rejects.toThrow();
      await expect(table.write([{ update: other.key, ...change, when }])).rejects.toThrow();
    } else {
      expect(await table.update(one.key, { ...change, when })).toEqual(wanted);
      const update = { update: other.key, ...change, when };
      expect(await table.write([update])).toEqual(wanted === undefined ? [update] : []);
    }
    const [left, right] = await table.getMany([one.key, other.key]);
    expect(right && { ...right, ...one.key }).toEqual(left);
  });
  await fc.assert(property, { numRuns: 150 });
});

function expectedItem(
  key: Item,
  item: Item | undefined,
  { when, ...change }: FieldChanges & { readonly when: Condition },
) {
  if (!holds(when, item)) return undefined;
  try {
    return withChanges(key, item, change);
  } catch {
    return 'rejected';
  }
}
