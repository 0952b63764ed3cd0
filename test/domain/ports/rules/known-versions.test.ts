import { expect, it } from '@jest/globals';
import { KnownVersions } from '../../../../lambdas/domain/ports/rules/known-versions.ts';

it('stores the latest version of an added item, and no other', () => {
  const known = new KnownVersions();
  known.add('one', { version: 1 });
  known.add('one', { version: 2 });
  expect(known.get('one', 2)).toEqual({ version: 2 });
  expect([known.get('one', 1), known.get('one', undefined), known.get('other', 2)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('removes all items before they become too large together', () => {
  const known = new KnownVersions();
  const large = { version: 1, text: 'x'.repeat(2_000_000) };
  known.add('one', large);
  known.add('two', large);
  expect([known.has('one'), known.has('two')]).toEqual([true, true]);
  known.add('three', large);
  expect([known.has('one'), known.has('two'), known.has('three')]).toEqual([false, false, true]);
});
