import { describe, expect, it } from '@jest/globals';
import { extractPage } from '../../../lambdas/core/content/extraction/extract-page.ts';
import { withoutNul } from '../../../lambdas/core/content/without-nul.ts';
import { ingestItem } from '../../../lambdas/core/ingest/ingest-item.ts';

const NUL = '\u0000';
const SITE = { baseUrl: 'https://www.example/', metadataSchema: [] };

describe('NUL characters', () => {
  it('are taken out of every text of a value, and other values stay as they are', () => {
    const value = { [`a${NUL}`]: [`b${NUL}c`, 1, null, { d: `${NUL}${NUL}` }], e: '\\u0000' };
    expect(withoutNul(value)).toEqual({ a: ['bc', 1, null, { d: '' }], e: '\\u0000' });
    const clean = { text: 'clean' };
    expect(withoutNul(clean)).toBe(clean);
  });

  it('of a page are not in what is read of it', () => {
    const html = `<html><head><title>A ${NUL}title</title><meta name="description" content="One${NUL} two">
      <script type="application/ld+json">{"@type": "Article", "headline": "A\\u0000b", "keywords": "x\\u0000y"}</script></head>
      <body><h1>Head${NUL}ing</h1><p>Some te${NUL}xt that is long enough to be read as a text.</p><a href="/a${NUL}b">c</a></body></html>`;
    for (const contentType of ['text/html', 'text/plain', 'text/markdown']) {
      const page = extractPage({ url: 'https://www.example/', contentType, body: Buffer.from(html) });
      expect(page?.blocks.length).toBeGreaterThan(0);
      const texts: string[] = [];
      JSON.stringify(page, (_, value) => (typeof value === 'string' ? texts.push(value) && value : value));
      expect(texts.filter((text) => text.includes(NUL))).toEqual([]);
    }
  });

  it('of an ingested page are not in it', () => {
    const page = {
      url: '/a',
      content: `Te${NUL}xt`,
      contentType: 'text',
      title: `Ti${NUL}tle`,
      metadata: { a: `b${NUL}` },
    };
    expect(ingestItem(page, SITE)).toMatchObject({ input: { content: 'Text', title: 'Title', metadata: { a: 'b' } } });
  });
});
