import { describe, expect, it } from '@jest/globals';
import { headed, indexEntries } from '../../../lambdas/domain/pages/index-entry.ts';
import type { Embedder } from '../../../lambdas/domain/ports/embedder.ts';
import { chunkPage } from '../../../lambdas/text/chunking/chunks.ts';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { plainText } from '../../../lambdas/text/page-content.ts';
import { processorTime } from '../../support/processor-time.ts';

const URL_OF_PAGE = 'https://www.example.com/mills';
const read = (body: string, selection = {}) =>
  extractHtml(`<html><title>Mills</title><body>${body}</body></html>`, URL_OF_PAGE, { selection });
const textsOf = (body: string, selection = {}) => read(body, selection).blocks.map(({ text }) => text);

describe('data-search-ignore', () => {
  it('leaves an element out, with all that is in it', () => {
    const body =
      '<p>Rye</p><div data-search-ignore><h2>Prices</h2><p>of 1950</p></div><p>Wheat <b data-search-ignore>old</b></p>';
    expect(textsOf(body)).toEqual(['Rye', 'Wheat']);
  });

  it('does not make a heading the title', () => {
    const page = '<html><body><h1 data-search-ignore>Draft</h1><h1>Mills</h1><p>Rye</p></body></html>';
    expect(extractHtml(page, URL_OF_PAGE).title).toBe('Mills');
  });

  it('keeps the links in it', () => {
    expect(read('<p>Rye</p><p data-search-ignore><a href=/oil>Oil</a></p>').links).toEqual([
      { href: 'https://www.example.com/oil', nofollow: false },
    ]);
  });

  it('may empty a page', () => {
    expect(textsOf('<div data-search-ignore><p>Rye</p></div>')).toEqual([]);
  });

  it('counts in a page whose whole text is content', () => {
    const { blocks } = extractHtml('<p>Rye</p><p data-search-ignore>Wheat</p>', URL_OF_PAGE, { clean: true });
    expect(blocks.map(({ text }) => text)).toEqual(['Rye']);
  });
});

describe('data-nosnippet', () => {
  const BODY = `<h2 id=rye>Rye</h2><p>Call the mill <span data-nosnippet>at 555 0199</span> today.</p>
    <div data-nosnippet><p>Members pay half.</p><ul><li>Bakers</li></ul></div><p>Closed in August.</p>`;
  const [chunk] = chunkPage(read(BODY).blocks);

  it('keeps text searchable, in blocks of its own', () => {
    expect(read(BODY).blocks).toEqual([
      { kind: 'heading', level: 2, text: 'Rye', anchor: 'rye' },
      { kind: 'text', text: 'Call the mill today.' },
      { kind: 'text', text: 'at 555 0199', isSearchOnly: true },
      { kind: 'text', text: 'Members pay half.\nBakers', isSearchOnly: true },
      { kind: 'text', text: 'Closed in August.' },
    ]);
  });

  it('is in what is embedded and indexed of a chunk, but not in its shown text', () => {
    expect(chunk?.text).toBe('Call the mill today.\n\nClosed in August.');
    expect(chunk && headed('Mills', chunk)).toBe(
      'Mills\nRye\nCall the mill today.\n\nClosed in August.\nat 555 0199\nMembers pay half.\nBakers',
    );
  });

  it('is not among the words that complete and correct a query', async () => {
    const row = { url: URL_OF_PAGE, urlHash: 'a', revision: 1, crawledAt: '', contentHash: '' };
    const embedder: Embedder = {
      space: 'none',
      dimensions: 1,
      embedTexts: async (texts) => texts.map(() => undefined),
      embedQuery: async () => undefined,
    };
    const [entry] = await indexEntries([{ siteId: 'a', generation: 1, row, content: read(BODY) }], embedder);
    expect(entry?.spellings).toEqual(expect.arrayContaining(['mills', 'rye', 'closed', 'august']));
    expect(entry?.spellings).not.toContain('members');
  });

  it('is neither summary nor tag', () => {
    const secret = 'Members of the guild of bakers pay half of the price for rye flour. '.repeat(3);
    const { description = '', tags } = read(`<p data-nosnippet>${secret}</p><p>Closed in August, open in May.</p>`);
    expect(`${description} ${tags}`).not.toMatch(/guild|bakers/i);
  });

  it('in a cell or a code sample does not end it', () => {
    expect(read('<table><tr><td>rye <i data-nosnippet>x</i><td>2</table><p>End').blocks).toEqual([
      { kind: 'table', text: 'rye | 2' },
      { kind: 'text', text: 'x', isSearchOnly: true },
      { kind: 'text', text: 'End' },
    ]);
  });
});

describe('contentSelector', () => {
  const BODY = `<header><p>Lantern mill, since 1850</p></header><div class="col a"><p>Rye</p></div>
    <div class="col b"><footer><p>Wheat <span class=price>2</span></p></footer></div><aside><p>News</p></aside>`;

  it('takes all that the elements show, in order, whatever they are named', () => {
    expect(textsOf(BODY, { contentSelector: '.col' })).toEqual(['Rye', 'Wheat 2']);
  });

  it('takes an element inside of another once', () => {
    expect(textsOf(BODY, { contentSelector: 'div, p' })).toEqual(
      textsOf(BODY, { contentSelector: 'header p, .col, aside p' }),
    );
  });

  it('leaves out hidden text and controls', () => {
    const body = '<main><p>Rye</p><p hidden>secret</p><p style="opacity:0">x</p><button>Buy</button></main>';
    expect(textsOf(body, { contentSelector: 'main' })).toEqual(['Rye']);
  });

  it('is not used on a page where it finds no text', () => {
    for (const contentSelector of ['#absent', 'hr'])
      expect(textsOf(`${BODY}<hr>`, { contentSelector })).toEqual(textsOf(BODY));
  });

  it('keeps excludeSelectors out', () => {
    expect(textsOf(BODY, { contentSelector: '.col', excludeSelectors: ['.price', 'header, aside'] })).toEqual([
      'Rye',
      'Wheat',
    ]);
  });

  it('can ask for any attribute', () => {
    expect(textsOf('<p data-lot=7>Rye</p><p>Wheat</p>', { excludeSelectors: ['[data-lot="7"]'] })).toEqual(['Wheat']);
  });
});

describe('hostile selectors and pages', () => {
  it('take linear time', () => {
    const page = `<div class="${'a '.repeat(400)}">`.repeat(400) + '<p class="a b">rye</p>'.repeat(20_000);
    const excludeSelectors = Array.from({ length: 25 }, () => '.a .a .a .a .a .a .a .x');
    const taken = processorTime();
    expect(plainText(extractHtml(page, URL_OF_PAGE, { selection: { excludeSelectors } }))).toContain('rye');
    expect(taken()).toBeLessThan(3000);
  });
});

describe('framesets', () => {
  it('link to the pages in their frames, and have no text of their own', () => {
    const { blocks, links } = extractHtml(
      '<title>Mill</title><frameset cols="20%,*"><frame src=menu.html><frame src="/main.html#top">' +
        '<noframes><body>Your browser has <b>no frames</b>.</body></noframes></frameset>',
      URL_OF_PAGE,
    );
    expect(blocks).toEqual([]);
    expect(links.map(({ href }) => href)).toEqual([
      'https://www.example.com/menu.html',
      'https://www.example.com/main.html',
    ]);
  });
});
