import { describe, expect, it } from '@jest/globals';
import { ingestItem } from '../../lambdas/domain/pages/ingest/ingest-item.ts';
import { extractPage } from '../../lambdas/text/extraction/extract-page.ts';
import { withoutControls } from '../../lambdas/text/without-controls.ts';

const NUL = '\u0000';
const SITE = { baseUrl: 'https://www.example/', metadataSchema: [] };

/** What begins a sequence that a terminal obeys, in two ways. */
const [ESCAPE, CSI] = ['\u001b', '\u009b'];

describe('control characters', () => {
  it('are taken out of every text of a value, and other values stay as they are', () => {
    const value = { [`a${NUL}`]: [`b${NUL}c`, 1, null, { d: `${NUL}${NUL}` }], e: '\\u0000' };
    expect(withoutControls(value)).toEqual({ a: ['bc', 1, null, { d: '' }], e: '\\u0000' });
    const others = { a: `${ESCAPE}[31mred${CSI}0m`, b: 'x\b\f\v\u007fy', c: '\\b\\f \\u001b' };
    expect(withoutControls(others)).toEqual({ a: '[31mred0m', b: 'xy', c: '\\b\\f \\u001b' });
    const clean = { text: 'clean\tand\r\nlong: \u00a0\u202f\u200d\ud83d\ude00' };
    expect(withoutControls(clean)).toBe(clean);
  });

  it('of a page are not in what is read of it', () => {
    const html = `<html><head><title>A ${NUL}title${ESCAPE}]0;x\u0007</title><meta name="description" content="One${NUL} two">
      <script type="application/ld+json">{"@type": "Article", "headline": "A\\u0000b", "keywords": "x\\u0000y\\u001b[2J"}</script></head>
      <body><h1>Head${NUL}ing</h1><p>Some te${NUL}xt${ESCAPE}[31m&#27;[0m that is long enough to be read as a text.</p><a href="/a${NUL}b">c</a></body></html>`;
    for (const contentType of ['text/html', 'text/plain', 'text/markdown']) {
      const page = extractPage({ url: 'https://www.example/', contentType, body: Buffer.from(html) });
      expect(page?.blocks.length).toBeGreaterThan(0);
      const texts: string[] = [];
      JSON.stringify(page, (_, value) => (typeof value === 'string' ? texts.push(value) && value : value));
      expect(texts.filter((text) => text.includes(NUL) || text.includes(ESCAPE))).toEqual([]);
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
