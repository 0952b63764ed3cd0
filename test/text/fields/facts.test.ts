import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dateKey, factPrefix, factsOf, numberKey, numberOfKey } from '../../../lambdas/text/fields/facts.ts';

const number = fc.double({ noNaN: true });

describe('the key of a number', () => {
  it('sorts as the numbers do', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [less, more] = [numberKey(Math.min(a, b)), numberKey(Math.max(a, b))];
        expect(less <= more).toBe(true);
        expect(less === more).toBe(a === b);
      }),
    );
  });

  it('is 16 hex digits that convert back to the number', () => {
    fc.assert(
      fc.property(number, (value) => {
        expect(numberKey(value)).toMatch(/^[0-9a-f]{16}$/);
        expect(numberOfKey(numberKey(value)) === value).toBe(true);
      }),
    );
  });

  it('is the same for both zeros', () => expect(numberKey(-0)).toBe(numberKey(0)));
});

describe('the key of a date', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-05-06T07:08', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08:09.123456Z', '2024-05-06T07:08:09.123Z'],
    ['2024-05-06T23:30:00-02:00', '2024-05-07T01:30:00.000Z'],
    ['2024-05-06T23:30+0530', '2024-05-06T18:00:00.000Z'],
  ])('of %s is %s, whatever the time zone of the machine', (text, key) => expect(dateKey(text)).toBe(key));

  it.each([
    '',
    '2024',
    '2024-13-01',
    '2024-00-10',
    '24-01-01',
    'yesterday',
    '2024-05-06 07:08',
    '2024-05-06T25:00',
    '1714979289',
  ])('is undefined for %j', (text) => expect(dateKey(text)).toBeUndefined());

  it.each(['2023-02-29', '2024-02-30', '2024-04-31', '2024-02-30T10:00:00Z'])(
    'is undefined for %s, which is in no calendar',
    (text) => expect(dateKey(text)).toBeUndefined(),
  );

  it('sorts as the times do', () => {
    const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const keys = [dateKey(a.toISOString()) ?? '', dateKey(b.toISOString()) ?? ''] as const;
        expect(keys[0] < keys[1]).toBe(a < b);
      }),
    );
  });
});

describe('the facts of a field', () => {
  it.each([
    ['red', ['s:f=red']],
    ['', ['s:f=']],
    [7, ['s:f=7', `n:f=${numberKey(7)}`]],
    ['7.50', ['s:f=7.50', `n:f=${numberKey(7.5)}`]],
    ['-3', ['s:f=-3', `n:f=${numberKey(-3)}`]],
    [1e21, ['s:f=1e+21', `n:f=${numberKey(1e21)}`]],
    ['0x10', ['s:f=0x10']],
    ['1e3', ['s:f=1e3']],
    [' 7', ['s:f= 7']],
    [true, ['s:f=true']],
    ['2024-05-06', ['s:f=2024-05-06', 'd:f=2024-05-06T00:00:00.000Z']],
    [
      ['a', 2, ['b'], null, { c: 1 }],
      ['s:f=a', 's:f=2', `n:f=${numberKey(2)}`],
    ],
    [null, []],
    [undefined, []],
    [{ a: 1 }, []],
    [[], []],
  ])('are for %j %j', (value, facts) => expect(factsOf('f', value)).toEqual(facts));

  it('are short, however long the value is', () => {
    for (const fact of factsOf('f', '9'.repeat(100_000))) expect(fact.length).toBeLessThan(600);
    expect(factsOf('f', 'x'.repeat(100_000))).toEqual([`s:f=${'x'.repeat(512)}`]);
    expect(factsOf('f', `x${'\u{1f600}'.repeat(300)}`)).toEqual([`s:f=x${'\u{1f600}'.repeat(255)}`]);
  });

  it('are distinct from those of a field with a common prefix', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\w{1,20}$/), fc.stringMatching(/^\w{1,20}$/), fc.string(), (a, b, value) => {
        fc.pre(a !== b);
        for (const fact of factsOf(a, value))
          for (const kind of ['s', 'n', 'd'] as const) expect(fact.startsWith(factPrefix(kind, b))).toBe(false);
      }),
    );
  });
});
