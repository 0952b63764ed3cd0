import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ingestedContent } from '../../../../lambdas/domain/pages/ingest/ingested-content.ts';
import { PageInput } from '../../../../lambdas/domain/pages/ingest/page-input.ts';
import { metadataFacts } from '../../../../lambdas/text/fields/facts.ts';
import { plainText } from '../../../../lambdas/text/page-content.ts';

const URL = 'https://www.example/page';
const contentOf = (page: object) => ingestedContent(PageInput.parse({ url: URL, ...page }), URL);

const HTML = `<html lang="de-AT"><head><title>Anker</title><meta name="description" content="Hält das Schiff.">
<meta name="keywords" content="Eisen"><meta name="robots" content="noindex"><link rel="canonical" href="/other">
<meta http-equiv="refresh" content="0;url=/away"></head><body><nav><a href="/a">Start</a> <a href="/b">Presse</a></nav>
<main><h1>Anker</h1><p>Der Anker hält das Schiff an seinem Ort.</p></main></body></html>`;

describe('ingestedContent', () => {
  it('extracts HTML and ignores its directives', () => {
    const content = contentOf({ content: HTML });
    expect(content).toMatchObject({ title: 'Anker', description: 'Hält das Schiff.', language: 'de', tags: ['Eisen'] });
    expect(content).toMatchObject({ noindex: false, nofollow: false, links: [] });
    expect(content).not.toHaveProperty('canonical');
    expect(content).not.toHaveProperty('refresh');
    expect(plainText(content)).toBe('Der Anker hält das Schiff an seinem Ort.');
  });

  it('keeps all text of preprocessed HTML but the title', () => {
    const content = contentOf({ content: HTML, preProcessed: true });
    expect(plainText(content)).toBe('Start Presse\n\nDer Anker hält das Schiff an seinem Ort.');
    expect(
      plainText(contentOf({ content: '<p>a</p><style>b</style><svg><text>c</text></svg>', preProcessed: true })),
    ).toBe('a');
  });

  it('prefers given fields to extracted ones, and ignores a blank title', () => {
    const given = { title: ' A \n title ', summary: '', tags: [], language: 'pt-BR', publishedAt: '2024-05-06' };
    expect(contentOf({ content: HTML, ...given })).toMatchObject({
      title: 'A title',
      language: 'pt',
      publishedAt: '2024-05-06',
      tags: [],
    });
    expect(contentOf({ content: HTML, ...given })).not.toHaveProperty('description');
    expect(contentOf({ content: HTML, title: '  ' }).title).toBe('Anker');
    expect(contentOf({ content: HTML, tags: ['a', ' a ', ' ', 'b\tc'] }).tags).toEqual(['a', 'b c']);
  });

  it('reads Markdown, and does not repeat a given title at its start', () => {
    const text = { content: '# Mooring\n\nRopes hold a ship.', contentType: 'text' };
    expect(contentOf(text)).toMatchObject({ title: 'Mooring' });
    expect(plainText(contentOf({ ...text, title: 'Mooring' }))).toBe('Ropes hold a ship.');
    expect(plainText(contentOf({ ...text, title: 'Other' }))).toBe('Mooring\n\nRopes hold a ship.');
  });

  it('keeps the title of the content as a heading when another title is given', () => {
    expect(plainText(contentOf({ content: HTML, title: 'Other' }))).toMatch(/^Anker\n/);
    expect(plainText(contentOf({ content: HTML, title: 'Anker' }))).not.toMatch(/^Anker/);
    const lines = { content: 'Mooring is an art.\n\nRopes hold a ship.', contentType: 'text' };
    expect(plainText(contentOf({ ...lines, title: 'Other' }))).toBe(lines.content);
  });

  it('keeps heading levels under a given title', () => {
    const parts = '## Ropes\n\nThey hold a ship.\n\n## Chains\n\nThey hold it better.';
    const headings = (content: string) =>
      contentOf({ content, contentType: 'text', title: 'Ship' })
        .blocks.filter((block) => block.kind === 'heading')
        .map(({ level, text }) => `${level} ${text}`);
    expect(headings(parts)).toEqual(['2 Ropes', '2 Chains']);
    expect(headings(`A ship is moored.\n\n${parts}`)).toEqual(['2 Ropes', '2 Chains']);
  });

  it('detects the language of a text', () => {
    const content =
      'Der Anker hält das Schiff an seinem Ort, und die Kette ist so lang wie der Grund tief ist, ' +
      'damit er sich nicht löst.';
    expect(contentOf({ content, contentType: 'text' }).language).toBe('de');
  });

  it('accepts any text', () => {
    const page = fc.record({
      content: fc.oneof(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.constantFrom('<p', '<a><b', '\u0000', '---\n', '<!--'),
      ),
      contentType: fc.constantFrom('html', 'text'),
      preProcessed: fc.boolean(),
      title: fc.string(),
    });
    fc.assert(fc.property(page, (any) => void contentOf(any)));
  });
});

describe('PageInput', () => {
  it('limits the size, number and depth of metadata', () => {
    const accepts = (metadata: unknown) => PageInput.safeParse({ url: URL, content: 'x', metadata }).success;
    expect(accepts({ a: 1, b: ['x', true, null], c: { d: { e: 1 } } })).toBe(true);
    expect(accepts({ a: 'x'.repeat(31_000) })).toBe(true);
    expect(accepts({ a: 'x'.repeat(32_000) })).toBe(false);
    expect(accepts({ a: Array(500).fill(1) })).toBe(true);
    expect(accepts({ a: Array(501).fill(1) })).toBe(false);
    expect(accepts(JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`))).toBe(false);
    for (const other of [[], 'a', 1, null]) expect(accepts(other)).toBe(false);
  });
});

describe('metadataFacts', () => {
  it('contains each fact of the fields that a schema can name once', () => {
    expect(metadataFacts({ color: ['red', 'red'], 'a=b': 'c', 'a b': 1, '': 2, ['x'.repeat(65)]: 3 })).toEqual([
      's:color=red',
    ]);
    expect(metadataFacts(undefined)).toEqual([]);
  });
});
