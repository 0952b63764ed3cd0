import { describe, expect, it } from '@jest/globals';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { type FieldSource, sourcedFields } from '../../../lambdas/text/fields/field-source.ts';
import { canFill, filledFields, withGiven } from '../../../lambdas/text/fields/filled-fields.ts';
import { processorTime } from '../../support/processor-time.ts';

type Type = 'string' | 'number' | 'date';

const URL = 'https://a.example/docs/15/sql.html';
const page = (head: string): string =>
  `<html><head>${head}</head><body><h1>SQL</h1><p>A text about it.</p></body></html>`;
const jsonLd = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** The value of a field with this source; the page was read for it, unless it was read for `readFor`. */
function fieldValue(head: string, from: FieldSource, type: Type = 'string', readFor: readonly FieldSource[] = [from]) {
  const { sourceValues } = extractHtml(page(head), URL, { sources: readFor });
  return filledFields(sourcedFields([{ name: 'field', type, from }]), URL, sourceValues)?.field;
}

describe('a field from meta tags', () => {
  const version = '<meta name="docsearch:version" content=" 15.1 ">';

  it('has the trimmed content of the tag with that name or property, in any case', () => {
    expect(fieldValue(version, { meta: 'docsearch:version' })).toBe('15.1');
    expect(fieldValue(version, { meta: 'DocSearch:Version' })).toBe('15.1');
    expect(fieldValue('<meta property="article:section" content="News">', { meta: 'article:section' })).toBe('News');
  });

  it('has a list of several tags, each value once', () => {
    const tags = ['a', 'b', 'a'].map((tag) => `<meta property="article:tag" content="${tag}">`).join('');
    expect(fieldValue(tags, { meta: 'article:tag' })).toEqual(['a', 'b']);
  });

  it('has no value without such a tag, or with an empty one', () => {
    expect(fieldValue(version, { meta: 'version' })).toBeUndefined();
    expect(fieldValue('<meta name="version" content="  ">', { meta: 'version' })).toBeUndefined();
    expect(fieldValue(version, { meta: '__proto__' })).toBeUndefined();
  });

  it('has at most 20 values of 512 characters', () => {
    const tags = Array.from({ length: 30 }, (_, i) => `<meta name="x" content="${i} ${'x'.repeat(600)}">`).join('');
    const values = fieldValue(tags, { meta: 'x' }) as string[];
    expect(values).toHaveLength(20);
    expect(values[0]).toHaveLength(512);
  });
});

describe('a field from JSON-LD', () => {
  const graph = jsonLd({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', publisher: { '@type': 'Organization', name: 'Elephant Press' } },
      {
        '@type': ['TechArticle', 'Article'],
        articleSection: ['SQL', 'Queries'],
        author: [{ name: 'Ann' }, { name: 'Ben', address: { name: 'Basel' } }],
        version: 15,
        free: true,
        nothing: null,
      },
    ],
  });

  it.each<[string, unknown]>([
    ['articleSection', ['SQL', 'Queries']],
    ['author.name', ['Ann', 'Ben']],
    ['author', ['Ann', 'Ben']],
    ['name', ['Elephant Press', 'Ann', 'Ben']],
    ['address', 'Basel'],
    ['publisher', 'Elephant Press'],
    ['version', '15'],
    ['free', 'true'],
    ['@type', ['WebSite', 'TechArticle', 'Article']],
    ['nothing', undefined],
    ['section', undefined],
    ['constructor', undefined],
  ])('%s is %j', (path, value) => {
    expect(fieldValue(graph, { jsonLd: path })).toEqual(value);
  });

  it('is of the outermost object that has the property', () => {
    const head = jsonLd({ offers: { name: 'Offer' } }) + jsonLd({ name: 'Product', brand: { name: 'Brand' } });
    expect(fieldValue(head, { jsonLd: 'name' })).toBe('Product');
    expect(fieldValue(head, { jsonLd: 'brand.name' })).toBe('Brand');
  });

  it('has no value if the script is no JSON', () => {
    expect(fieldValue('<script type="application/ld+json">{oops</script>', { jsonLd: 'name' })).toBeUndefined();
  });
});

describe('the type of a field', () => {
  const head = ['12', 'twelve', '2026-11-23', '1e3'].map((text) => `<meta name="x" content="${text}">`).join('');

  it('decides which values count', () => {
    expect(fieldValue(head, { meta: 'x' }, 'number')).toBe(12);
    expect(fieldValue(head, { meta: 'x' }, 'date')).toBe('2026-11-23');
    expect(fieldValue(head, { meta: 'x' }, 'string')).toEqual(['12', 'twelve', '2026-11-23', '1e3']);
    expect(fieldValue('<meta name="x" content="twelve">', { meta: 'x' }, 'number')).toBeUndefined();
  });
});

describe('the values that are stored with a page', () => {
  const kept = (head: string, from: FieldSource) => fieldValue(head, from, 'string', []);
  const canFillLater = (head: string, from: FieldSource) =>
    canFill(sourcedFields([{ name: 'field', type: 'string', from }]), extractHtml(page(head), URL).sourceValues);

  it('fill a field that is added later', () => {
    const head = `<meta name="version" content="15">${jsonLd({ articleSection: 'SQL' })}`;
    for (const [from, value] of [
      [{ meta: 'version' }, '15'],
      [{ jsonLd: 'articleSection' }, 'SQL'],
      [{ urlPattern: '/docs/*/' }, '15'],
      [{ meta: 'absent' }, undefined],
    ] as const) {
      expect(kept(head, from)).toBe(value);
      expect(canFillLater(head, from)).toBe(true);
    }
  });

  it.each<[string, string, FieldSource]>([
    ['a long value', `<meta name="x" content="${'long '.repeat(60)}">`, { meta: 'x' }],
    ['a long value', jsonLd({ x: 'long '.repeat(60) }), { jsonLd: 'x' }],
    ['the summary', '<meta name="description" content="A page.">', { meta: 'description' }],
    ['a secret', '<meta name="csrf-token" content="abc">', { meta: 'csrf-token' }],
    [
      'one of many tags',
      Array.from({ length: 150 }, (_, i) => `<meta name="m${i}" content="${i}">`).join(''),
      { meta: 'm149' },
    ],
    [
      'one of many values',
      jsonLd({
        list: Array.from({ length: 19 }, (_, i) => ({ [`name-${i}`]: `${i} long`.repeat(33) })),
        x: { y: 'z' },
      }),
      { jsonLd: 'name-18' },
    ],
  ])('do not include %s, unless a field names it', (_, head, from) => {
    expect(kept(head, from)).toBeUndefined();
    expect(canFillLater(head, from)).toBe(false);
    expect(fieldValue(head, from)).toBeDefined();
  });

  it('are missing from a page that was stored before there were any', () => {
    const fields = (from: FieldSource) => sourcedFields([{ name: 'field', type: 'string', from }]);
    expect(canFill(fields({ meta: 'version' }), undefined)).toBe(false);
    expect(canFill(fields({ urlPattern: '/docs/*/' }), undefined)).toBe(true);
  });

  it('are few, whatever the page holds', () => {
    const tags = Array.from({ length: 100_000 }, (_, i) => `<meta name="m${i}" content="${i}"><meta name="x">`).join(
      '',
    );
    const object = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`p${i}`, { a: i }]));
    const deep = '[{"a":'.repeat(60_000);
    const hostile = [
      tags,
      jsonLd(object).repeat(5),
      `<script type="application/ld+json">${deep}1${'}]'.repeat(60_000)}</script>`,
      `<script type="application/ld+json">{"__proto__": {"x": "${'y'.repeat(5_000_000)}"}}</script>`,
      '<script type="application/ld+json">{"__proto__": {"polluted": "x"}, "a": "\\ud800"}</script>',
      `<meta name="${'csrf'.repeat(500_000)}\n" content="x">`,
    ];
    for (const head of hostile) {
      const taken = processorTime();
      const { sourceValues } = extractHtml(page(head), URL, { sources: [{ meta: 'm1' }, { jsonLd: 'a' }] });
      expect(taken()).toBeLessThan(5_000);
      const text = JSON.stringify(sourceValues);
      expect(text.length).toBeLessThan(60_000);
      expect(JSON.parse(text)).toEqual(sourceValues);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('metadata of the ingestion', () => {
  it('wins over what the page fills', () => {
    expect(withGiven({ version: '15', section: 'SQL' }, { version: null, price: 3 })).toEqual({
      metadata: { section: 'SQL', version: null, price: 3 },
      filled: ['section'],
    });
    expect(withGiven(undefined, undefined)).toEqual({});
  });
});
