import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';

const titleOf = (head: string, body = '', url = 'https://www.acme.example/x'): string =>
  extractHtml(`<head>${head}</head><body>${body}</body>`, url).title;

describe('the title of a page', () => {
  it('is the address, as people read it, if there is neither a title nor a heading', () => {
    const titled = (path: string) => titleOf('', '<p>Only words</p>', `https://acme.example${path}`);
    expect(titled('/guides/rye?page=2')).toBe('https://acme.example/guides/rye?page=2');
    expect(titled('/%E6%9D%B1%E4%BA%AC/a%20b%2Fc')).toBe('https://acme.example/東京/a%20b%2Fc');
    // Not well-formed, and characters that turn or hide text.
    expect(titled('/%ff%e6/%E2%80%AE%C2%A0')).toBe('https://acme.example/%ff%e6/%E2%80%AE%C2%A0');
    expect(titled(`/${'%F0%9F%98%80'.repeat(200)}`).isWellFormed()).toBe(true);
  });

  it.each([
    ['<title>Rye mills | Acme</title>', '<h1>Rye mills</h1>', 'Rye mills'],
    [
      '<title>Millers: Rye mills</title><meta property=og:title content="Rye mills">',
      '<h1><a href=/>Millers</a></h1>',
      'Rye mills',
    ],
    ['<title> </title><title>Rye mills - Acme</title>', '<h1>Rye mills</h1>', 'Rye mills'],
    ['<title>PostgreSQL: Documentation: 15: VACUUM</title>', '<h1>VACUUM</h1>', 'VACUUM'],
    ['<title>Rye mills - The Book of Mills</title>', '<h1>The Book of Mills</h1><h1>Rye mills</h1>', 'Rye mills'],
    ['<title>Rye mills - The Book of Mills</title>', '<h1>The Book of Mills</h1>', 'Rye mills'],
    ['<title>Acme - Grind with joy</title>', '<h1>Grind with joy</h1>', 'Grind with joy'],
    ['<title>The Rye Mill</title>', '<h1>1. Overview</h1><h1>2. Rye Mill Details</h1>', 'The Rye Mill'],
    ['<title>The Rye Mill</title>', '<h1>Sails of the Mill</h1><h1>Using the Mill</h1>', 'The Rye Mill'],
    ['<title>Mills, their 1 use</title>', '<h1>1. Mills and their use</h1>', 'Mills, their 1 use'],
    ['<title>Manual: 26.1. SQL Dump of all</title>', '<h1>26.1. SQL Dump</h1>', '26.1. SQL Dump'],
    ['<title>Rye in 10 steps</title>', '<h1>10 steps to rye</h1>', '10 steps to rye'],
    ['<title>Rye mills — Acme</title>', '<h1>Grind with joy</h1>', 'Rye mills'],
    ['<title>Rye mills | Acme | Acme</title>', '', 'Rye mills'],
    ['<title>Acme</title>', '<h1>Rye mills</h1>', 'Rye mills'],
    ['<title>Home - Acme</title>', '', 'Home - Acme'],
    ['<title>Mills: Documentation: Rye</title><meta property=og:title content=Rye>', '', 'Rye'],
    ['<meta property=og:title content="Rye mills">', '', 'Rye mills'],
    ['', '<h1>Rye  mills<a class=headerlink href=#>¶</a></h1>', 'Rye mills'],
    ['', '<h2>Rye</h2><p>words</p>', 'Rye'],
    [
      '<title>README | Rye mills</title><meta property=og:title content="README | Rye mills">',
      '<h1>README</h1>',
      'Rye mills',
    ],
    ['<title>mill::rye - Grain</title>', '<h1>Module rye</h1>', 'mill::rye'],
    ['<title>Rye mills :: Acme</title>', '', 'Rye mills'],
    ['', '<header><h1><svg><title>Mill</title></svg><a href=/>Rye mills</a></h1></header><p>words', 'Rye mills'],
    ['<title>Rye mills, an overview | Acme</title>', '<h1>What are rye mills?</h1>', 'Rye mills, an overview'],
    ['', '<svg><title>Logo</title></svg><p>Only words</p>', 'https://www.acme.example/x'],
    ['<title>\u202aRye\u202c mi\u00adlls \ue001</title>', '', 'Rye mills'],
    ['', '', ''],
  ])('of %s and %s is "%s"', (head, body, title) => {
    expect(titleOf(head, body)).toBe(title);
  });

  it.each([
    [
      'says all that the title says, and more',
      'Rye mills | Acme',
      'Rye mills of the valley',
      'Rye mills of the valley',
    ],
    ['is as long as the title and much alike', 'Mills for rye', 'Mills for wheat', 'Mills for wheat'],
    ['is a part of what a row of phrases says', 'Old mills | Grind rye | Save', 'Grind old rye', 'Grind old rye'],
    [
      'is on a page whose title is a slogan',
      'Acme - Grind with joy',
      'Rye mills of the valley',
      'Rye mills of the valley',
    ],
  ])('is the only heading if that %s', (_, title, heading, name) => {
    expect(titleOf(`<title>${title}</title>`, `<h1>${heading}</h1>`)).toBe(name);
  });

  it.each([
    ['says less', 'How we build mills in 2025 | Acme', 'How we build our mills', 'How we build mills in 2025'],
    ['only adds a date', 'Rye mills | Acme', 'Dec 18 2025 Rye mills', 'Rye mills'],
    ['only adds a source and a count', 'Rye mills | Acme', 'Rye mills (rye.example) 139', 'Rye mills'],
    ['says something else', 'Rye mills | Acme', 'Grind with joy', 'Rye mills'],
  ])('is not a heading that %s', (_, title, heading, name) => {
    expect(titleOf(`<title>${title}</title>`, `<h1>${heading}</h1>`)).toBe(name);
  });

  it('has the case of the heading and the punctuation of the title', () => {
    expect(titleOf('<title>Rye Mills | Acme</title>', '<h1>Rye mills</h1>')).toBe('Rye mills');
    expect(titleOf("<title>Rye's mills | Acme</title>", '<h1>Rye’s mills</h1>')).toBe("Rye's mills");
    expect(titleOf('<title>rye-mills | Acme</title>', '<h1>Rye Mills</h1>')).toBe('rye-mills');
  });

  it("drops the site's name that the page declares", () => {
    expect(titleOf('<title>Mills - Rye Works</title><meta property=og:site_name content="Rye Works">')).toBe('Mills');
    expect(titleOf('<title>Mills - Rye Works</title><meta property=og:site_name content="The Rye Works">')).toBe(
      'Mills',
    );
    expect(
      titleOf(
        '<title>Mills - Rye Works</title>' +
          '<script type="application/ld+json">{"@type":"WebSite","name":"Rye Works"}</script>',
      ),
    ).toBe('Mills');
    expect(titleOf('<title>Mills - Rye Works</title>')).toBe('Mills - Rye Works');
  });

  it("is the site's name on the home page", () => {
    expect(titleOf('<title>Acme</title>', '<h1>Posts</h1>', 'https://acme.example/')).toBe('Acme');
  });

  it('is the part that the address or the embedded headline names, if there is no heading', () => {
    const title = '<title>Rye Mills - Prices, Parts and More</title>';
    expect(titleOf(title, '', 'https://shop.example/p/rye-mills.html')).toBe('Rye Mills');
    const headline = '<script type="application/ld+json">{"@type":"Article","headline":"Rye mills"}</script>';
    expect(titleOf(`${title}${headline}`)).toBe('Rye Mills');
  });

  it('is the part of the title for social media that the address names', () => {
    const head = '<title>Old Mill in Green by Acme</title><meta property=og:title content="Moss Green">';
    expect(titleOf(head, '<h1>Old Mill Moss Green</h1>', 'https://shop.example/mills/moss-green/2800.html')).toBe(
      'Moss Green',
    );
  });

  it('is the only heading if the address names it and it has as many long words as the title', () => {
    const url = 'https://shop.example/rye-mills';
    expect(titleOf('<title>Mills for Rye – Shop</title>', '<h1>Rye mills</h1>', url)).toBe('Rye mills');
    expect(titleOf('<title>Free Plans of Mills for Rye – Shop</title>', '<h1>Rye mills</h1>', url)).toBe(
      'Free Plans of Mills for Rye',
    );
  });

  it('uses the canonical address for a page without an address', () => {
    expect(
      titleOf('<title>Mills - Acme</title><link rel=canonical href="https://acme.example/mills">', '', 'about:blank'),
    ).toBe('Mills');
  });

  it('is never empty for a title with letters, and never longer than the title and the headings', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'Acme', ' ', '|', ' - ', ': ', '(', '1', '.', '»', '/', '’') });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (title, headings) => {
        const body = headings.map((heading) => `<h1>${heading}</h1>`).join('');
        const found = titleOf(`<title>${title}</title>`, body);
        expect(found.length).toBeLessThanOrEqual(Math.max(title.length, ...headings.map(({ length }) => length)));
        if (/[a-z]/.test(title)) expect(found).not.toBe('');
      }),
    );
  });
});
