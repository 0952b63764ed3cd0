import * as fc from 'fast-check';

/** Texts that have broken programs before: for SQL, URLs, globs, templates, headers, numbers, dates, Unicode. */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...['', ' ', '\t\r\n', '\0', 'a\0b', '\u007f', '\ufeff', '\uffff', '\u202e', '\u200b', '\u2028'],
  ...['\ud800', '\udc00\ud800', 'a\ud83d', '👩‍👩‍👧', '𝒳', 'İ', 'ß', 'ﷺ', '東京', 'مرحبا', `e${'\u0301'.repeat(2000)}`],
  ...['null', 'undefined', 'true', 'NaN', 'Infinity', '-0', '1e309', '0x10', '1_000', '9'.repeat(400), '-1', '0.1'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'],
  ...["' OR 1=1 --", '"; DROP TABLE item; --', '\\', '`', '%', '%00', '%s%n', '_', '"', '"a', '-', '-"', '"" -""'],
  ...['../../etc/passwd', '..%2f', 'file:///etc/passwd', '//evil.example', 'http://', 'https://[::1', 'http://a b/'],
  ...['javascript:alert(1)', 'http://user:pass@host/', 'http://127.0.0.1:9/a', 'https://例え.jp/', '/', '/a?b#c', '#'],
  ...['*', '**', '/*', '*.*', 'http*', 'regex:', 'regex:(', 'regex:(a+)+$', 'regex:[', '*.example.com', '*.', '.'],
  ...['<script>alert(1)</script>', '<![CDATA[', '<!--', '&#0;', '{{7*7}}', '$(id)', '\r\nSet-Cookie: a=b'],
  ...['2026-02-30', '0000-00-00', '2026-01-01T00:00:00Z', '-000001-01-01', '275760-09-13', '2026-13', '90d', '0d'],
  ...['[]', '{}', '{"a":', '[['.repeat(500), 'a,b', ',', ',,', 'x'.repeat(5000), 'word '.repeat(1000)],
];

const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', ''];

export const naughtyString: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NAUGHTY_STRINGS) },
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ maxLength: 300 }),
);

const naughtyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** An object that has the key itself, also `__proto__`. */
const withKey = (key: string, value: unknown): object =>
  Object.defineProperty({}, key, { value, enumerable: true, configurable: true, writable: true });

/** Any JSON value, and above all those that nobody expects. */
export const naughtyValue: fc.Arbitrary<unknown> = fc.oneof(
  naughtyString,
  naughtyNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: null }),
  fc.constantFrom(50, 1000, 3000).map(nested),
  fc.tuple(fc.constantFrom(...PROTOTYPE_KEYS), naughtyString).map(([key, value]) => withKey(key, value)),
  fc.array(naughtyString, { maxLength: 5 }),
  fc.constantFrom(100, 1001, 20_000).map((length) => Array.from({ length }, (_, n) => n)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies that are no JSON, or JSON that parsers disagree about. */
export const naughtyText: fc.Arbitrary<string> = fc.oneof(
  naughtyString,
  fc.constantFrom(
    ...['{"__proto__":{"a":1}}', '{"a":1,"a":2}', '\ufeff{}', '1e999', '-', '"\\ud800"', '"\\u0000"', '{"":{}}'],
    ...['['.repeat(100_000), `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 'nul', '{}{}', '// {}', "{'a':1}"],
  ),
  fc.json(),
);
