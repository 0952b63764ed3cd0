import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { plainText } from '../../../lambdas/text/page-content.ts';

const URL_OF_PAGE = 'https://www.example.com/docs/guide';
const PROSE = 'The mill grinds rye and wheat for the bakers of the valley, and sells what is left over. '.repeat(6);

const textOfBody = (body: string): string => plainText(extractHtml(`<html><body>${body}</body></html>`, URL_OF_PAGE));

describe('the blocks of a page', () => {
  it('are headings, paragraphs, lists, tables and code in reading order', () => {
    const { blocks } = extractHtml(
      `<main><h1 id=top>Mills</h1><p>Some   <b>bold</b>
       words.<br>New line</p><ul><li>rye<li>wheat</ul><h2 id=run>Running<a href=#run>¶</a></h2>
       <pre><code>mill \\
  --grain rye
</code></pre><table><tr><th>Grain<th>Price<tr><td>rye<td>2</table><dl><dt>hopper<dd>holds grain</dl></main>`,
      URL_OF_PAGE,
    );
    expect(blocks).toEqual([
      { kind: 'text', text: 'Some bold words.\nNew line' },
      { kind: 'list', text: 'rye\nwheat' },
      { kind: 'heading', level: 2, text: 'Running', anchor: 'run' },
      { kind: 'code', text: 'mill \\\n  --grain rye' },
      { kind: 'table', text: 'Grain | Price\nrye | 2', head: 0 },
      { kind: 'list', text: 'hopper\n  holds grain' },
    ]);
  });

  it('read a table with headings or other tables as ordinary content', () => {
    const { blocks } = extractHtml(
      `<title>Mills</title><table><tr><td><h2>One</h2><p>first</p><td><p>second</p></table>`,
      URL_OF_PAGE,
    );
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['heading', 'One'],
      ['text', 'first'],
      ['text', 'second'],
    ]);
  });

  it('put the caption of a table into a line of its own', () => {
    const table = '<table><caption>Grain <b>prices</b></caption><tr><th>Grain<th>Price<tr><td>rye<td>2</table>';
    expect(textOfBody(table)).toBe('Grain prices\nGrain | Price\nrye | 2');
  });

  const tableOf = (rows: string) => extractHtml(`<table>${rows}</table>`, URL_OF_PAGE, { clean: true }).blocks[0];

  it.each([
    ['of a thead', '<thead><tr><td>Grain<td>Price</thead><tr><td>rye<td>2', 'Grain | Price\nrye | 2'],
    ['of th alone', '<tr><th>Grain<th>Price<tr><th>rye<td>2', 'Grain | Price\nrye | 2'],
    ['with an empty corner', '<tr><td><th>Price<tr><th>rye<td>2', ' | Price\nrye | 2'],
    [
      'in two rows, with headings of several columns',
      '<tr><th rowspan=2>Grain<th colspan=2>Price<tr><th>Members<th>Guests<tr><td>rye<td>2<td>3',
      'Grain | Price Members | Price Guests\nrye | 2 | 3',
    ],
    [
      'below a title',
      '<thead><tr><th colspan=2>Prices<tr><th>Grain<th>Price</thead><tr><td>rye<td>2',
      'Prices\nGrain | Price\nrye | 2',
    ],
  ])('know the row %s that names the columns of a table', (_, rows, text) => {
    expect(tableOf(rows)).toMatchObject({ kind: 'table', text, head: text.split('\n').length - 2 });
  });

  it.each([
    ['has row headings alone', '<tr><th>Director<td>Jana Holm<tr><th>Founded<td>1951'],
    ['has no heading', '<tr><td>Line 4<td>harbour<tr><td>Line 7<td>airport'],
    ['has headings alone', '<tr><th>Grain<th>Price<tr><th>rye<th>2'],
  ])('know no such row in a table that %s', (_, rows) => {
    expect(tableOf(rows)).not.toHaveProperty('head');
  });

  it('keep the list around a table in one of its items', () => {
    const table = '<table><tr><th>Grain<th>Price<tr><td>rye<td>2</table>';
    const { blocks } = extractHtml(`<ul><li>Prices:${table}<p>in euros</p><li>Weights</ul>`, URL_OF_PAGE, {
      clean: true,
    });
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['list', 'Prices:'],
      ['table', 'Grain | Price\nrye | 2'],
      ['list', '  in euros\nWeights'],
    ]);
  });

  it('name the columns below the caption of a table', () => {
    const rows = '<caption>Grain prices</caption><tr><th>Grain<th>Price<tr><td>rye<td>2';
    expect(tableOf(rows)).toMatchObject({ text: 'Grain prices\nGrain | Price\nrye | 2', head: 1 });
  });

  it('repeat a short cell in each row that it spans, a long one not', () => {
    const rows = (cell: string) => `<tr><td rowspan=2>${cell}<td>12<td>15<tr><td>13<td>18`;
    expect(tableOf(rows('Funnel'))).toMatchObject({ text: 'Funnel | 12 | 15\nFunnel | 13 | 18' });
    const long = 'A funnel that holds the grain above the stones of the mill.'.padEnd(61, '.');
    expect(tableOf(rows(long))).toMatchObject({ text: `${long} | 12 | 15\n | 13 | 18` });
  });

  it('write a value that spans columns once, and bound what a cell spans', () => {
    expect(tableOf('<tr><td colspan=2>A<td>B<tr><td>1<td>2<td>3')).toMatchObject({ text: 'A |  | B\n1 | 2 | 3' });
    const row = '<tr><td colspan=1000000 rowspan=1000000>a';
    expect(tableOf(row.repeat(10_000))?.text.length).toBeLessThan(60_000);
    const spans = '<td rowspan=1000>'.concat('a'.repeat(60)).repeat(200);
    expect(tableOf(`<tr>${spans}${'<tr><td>b'.repeat(10_000)}`)?.text.length).toBeLessThan(60_000);
  });

  it('indent the items of a list in a list, further lines of an item, and explanations of terms', () => {
    const list = '<ul><li>rye<ul><li>fine<li>coarse</ul><li><p>wheat</p><p>of spring</p></ul>';
    expect(textOfBody(list)).toBe('rye\n  fine\n  coarse\nwheat\n  of spring');
    const terms = '<dl><dt>-s<dt>--sieve<dd><p>Sieves.</p><ul><li>once</ul><dt>-x<dd>Stops.</dl>';
    expect(textOfBody(terms)).toBe('-s\n--sieve\n  Sieves.\n    once\n-x\n  Stops.');
  });

  it.each(['nobr', 'output', 'rb', 'span'])('are not split by the inline element %s', (name) => {
    expect(textOfBody(`<p>Rye of <${name}>the mill</${name}>, ground.</p>`)).toBe('Rye of the mill, ground.');
  });

  it('use the id of a section as the anchor of its heading', () => {
    const body = `<p>${PROSE}</p><div id=oil><h2>Oil</h2><p>${PROSE}</p></div>`;
    const { blocks } = extractHtml(`<title>Mills</title>${body}`, URL_OF_PAGE);
    expect(blocks[1]).toEqual({ kind: 'heading', level: 2, text: 'Oil', anchor: 'oil' });
  });

  it('do not repeat the title as a heading', () => {
    const headings = (body: string) =>
      extractHtml(`<title>Mills</title><main>${body}</main>`, URL_OF_PAGE)
        .blocks.filter(({ kind }) => kind === 'heading')
        .map(({ text }) => text);
    const body = `<h1>Mills</h1><p>${PROSE}</p><h2>Oil</h2><p>${PROSE}</p>`;
    expect(headings(body)).toEqual(['Oil']);
    expect(headings(`<p>A paragraph above it.</p>${body}`)).toEqual(['Oil']);
    expect(headings(`<h2>Oil</h2><p>${PROSE}</p><h2>Mills</h2><p>${PROSE}</p>`)).toEqual(['Oil', 'Mills']);
    expect(headings('<h1>Mills</h1><p>Rye</p>')).toEqual(['Mills']);
  });

  it.each([
    ['Learn C#', 'Learn C#'],
    ['§ 5 Mills', '§ 5 Mills'],
    ['#1 of all mills', '#1 of all mills'],
    ['Mills<a href=#mills>#</a>', 'Mills'],
    ['<a href=#mills><span> § </span></a>Mills', 'Mills'],
    ['C#<a href=#c>#</a>', 'C#'],
    ['Mills ¶', 'Mills'],
    ['# Mills #', 'Mills'],
  ])('drop the permalink of the heading %s', (heading, text) => {
    const { blocks } = extractHtml(`<title>Grain</title><h2>${heading}</h2><p>${PROSE}</p>`, URL_OF_PAGE);
    expect(blocks[0]).toMatchObject({ kind: 'heading', text });
    expect(extractHtml(`<h1>${heading}</h1>`, URL_OF_PAGE).title).toBe(text);
  });

  it('separate adjacent links', () => {
    expect(
      textOfBody(`<p>${PROSE}</p><p>by <a href=/a>Ann</a><a href=/b>Bob</a> and others of the mill</p>`),
    ).toContain('Ann Bob');
  });
});

describe('the main content', () => {
  it('leaves out navigation, header, footer, controls, scripts and notices', () => {
    const text = textOfBody(`<header><a href=/>Home page</a></header><nav>Menu <a href=/x>Entry</a></nav>
      <div class="cookie-banner">We use cookies</div><div class=content><p>${PROSE}</p></div>
      <aside><a href=/r>Read next</a></aside><select><option>Choose</select><script>var a = "code"</script>
      <div class="site-footer"><p>Imprint</p></div><footer>Rights reserved</footer>`);
    expect(text).toBe(PROSE.trim());
  });

  it.each([
    ['the hidden attribute', '<div hidden>secret</div>'],
    ['aria-hidden', '<div aria-hidden=true>secret</div>'],
    ['inline style', '<div style="color: red; display : none">secret</div>'],
    [
      'a rule of the page',
      '<style>p { margin: 0 } .gone, #x { display: none }</style><div class="a gone">secret</div>',
    ],
    ['a utility class', '<div class="p-4 d-none">secret</div>'],
  ])('leaves out text hidden by %s', (_, hidden) => {
    expect(textOfBody(`<main>${hidden}<p>${PROSE}</p></main>`)).toBe(PROSE.trim());
  });

  it.each([
    [
      'a rule for small screens',
      '<style>@media (max-width: 9em) { .b { display: none } }</style><p class=b>shown here</p>',
    ],
    ['a rule taken back later', '<style>.b { display: none } .b { display: block }</style><p class=b>shown here</p>'],
    [
      'a rule that does not hold in print',
      '<style>.b{display:none}@media print{.b{display:block}}</style><p class=b>shown here</p>',
    ],
    ['a utility class for some widths', '<p class="hidden md:block">shown here</p>'],
    ['a tab that is not in front', '<div role=tabpanel hidden>shown here</div>'],
    ['a fold that a search in the page opens', '<div hidden=until-found>shown here</div>'],
  ])('keeps text hidden only by %s', (_, shown) => {
    expect(textOfBody(`<main>${shown}<p>${PROSE}</p></main>`)).toContain('shown here');
  });

  it('keeps text that styles hide if it is most of the page', () => {
    expect(textOfBody(`<style>.app{visibility:hidden}</style><div class=app><p>${PROSE}</p></div>`)).toBe(PROSE.trim());
  });

  it('has all sections of one class, even if one is much longer', () => {
    const section = (text: string) => `<div class=section><h2>Part</h2><p>${text}</p></div>`;
    const text = textOfBody(`<div id=content>${section(PROSE)}${section(PROSE.toUpperCase().repeat(9))}</div>`);
    expect(text).toContain('The mill');
    expect(text).toContain('THE MILL');
  });

  it('has the paragraph before its longest section', () => {
    const lead = 'This is about mills that grind rye and wheat.';
    const section = `<div class=section><h2>Rye</h2><p>${PROSE}</p><p>${PROSE}</p></div>`;
    expect(textOfBody(`<div class=page><h1>Mills</h1><p>${lead}</p>${section}</div>`)).toContain(lead);
    expect(textOfBody(`<div class=page><div><a href=/>Home</a> of mills</div>${section}</div>`)).not.toContain('Home');
  });

  it('keeps a link in a sentence whatever its class is, and drops a paragraph of such links', () => {
    const links = '<p><a class=popup href=/a>Share it</a> <a class=popup href=/b>Print it</a></p>';
    const found = textOfBody(`<main><p>${PROSE} A <a class=popup href=/c>miller</a> owns it.</p>${links}</main>`);
    expect(found).toContain('A miller owns it.');
    expect(found).not.toContain('Share it');
  });

  it('keeps a list of links inside an item of a list of text', () => {
    const links = '<ul><li><a href=/1>Bug 1: the wheel stops</a></li><li><a href=/2>Bug 2: it leaks</a></li></ul>';
    const found = textOfBody(`<main><p>${PROSE.repeat(4)}</p><ul><li>${PROSE}${links}</li></ul></main>`);
    expect(found).toContain('Bug 2: it leaks');
    expect(textOfBody(`<main><p>${PROSE.repeat(4)}</p>${links}</main>`)).not.toContain('Bug 2');
  });

  it('drops comments below an article, but keeps a discussion', () => {
    const comments = `<div class=comments><p>${PROSE.toUpperCase()}</p></div>`;
    expect(textOfBody(`<main><p>${PROSE.repeat(4)}</p>${comments}</main>`)).not.toContain('THE MILL');
    expect(textOfBody(`<main><p>What is a mill?</p>${comments}</main>`)).toContain('THE MILL');
  });

  it('leaves out lists of other articles beside one that says that it is an article', () => {
    const article = `<article>${`<p>${PROSE}</p>`.repeat(3)}</article>`;
    const teaser = '<li><a href=/other>Another article of the day</a><p>What it says, in a sentence or two.</p></li>';
    const page = `<main>${article}<ul class=stream>${teaser.repeat(9)}</ul></main>`;
    const read = (head: string) => plainText(extractHtml(`<head>${head}</head><body>${page}</body>`, URL_OF_PAGE));
    expect(read('<meta property="og:type" content="article">')).not.toContain('Another article');
    expect(read('')).toContain('Another article');
    const listing = `<head><meta property="og:type" content="article"></head><body><ul>${teaser.repeat(9)}</ul></body>`;
    expect(plainText(extractHtml(listing, URL_OF_PAGE))).toContain('Another article');
  });

  it('drops comments that are longer than a long article', () => {
    const comments = `<div class="comments-area">${`<div>${PROSE}</div>`.repeat(14)}</div>`;
    expect(textOfBody(`<main><div>${`<p>${PROSE} One.</p>`.repeat(8)}</div>${comments}</main>`)).toMatch(/One\.$/);
  });

  it('has no lines that only draw a rule', () => {
    expect(textOfBody('<pre>name | price\n-----+------\nrye  | 2\n---\n</pre>')).toBe('name | price\nrye  | 2\n---');
    expect(textOfBody('<p>Rye</p><p>* * * ----------</p><p>Wheat</p>')).toBe('Rye\n\nWheat');
  });

  it('keeps noscript and misleading class names if there is no other text', () => {
    expect(textOfBody(`<div id=app></div><noscript><p>${PROSE}</p></noscript>`)).toBe(PROSE.trim());
    const parts = ['a', 'b', 'c', 'd'].map((part) => `<div class="promo">${part} ${PROSE}</div>`).join('');
    expect(textOfBody(parts)).toContain('d The mill');
  });
});

describe('the metadata of a page', () => {
  it('is read from its head', () => {
    const page = extractHtml(
      `<html lang="en-GB"><head><title>Mills | Example</title><meta name=description content=" On  mills. ">
       <meta name=keywords content="rye, wheat,Rye">
       <meta property="article:published_time" content="2024-05-06T07:08:09+0200">
       <link rel=canonical href="/mills#top"><meta http-equiv=Refresh content="3; URL='../new'"></head>
       <body><h1>Mills</h1><p>${PROSE}</p></body></html>`,
      URL_OF_PAGE,
    );
    expect(page).toMatchObject({
      title: 'Mills',
      description: 'On mills.',
      language: 'en',
      tags: ['rye', 'wheat'],
      publishedAt: '2024-05-06T07:08:09+02:00',
      canonical: 'https://www.example.com/mills',
      refresh: { seconds: 3, url: 'https://www.example.com/new' },
      noindex: false,
      nofollow: false,
    });
  });

  it('has no optional field that the page lacks', () => {
    expect(extractHtml('<p>Words</p>', URL_OF_PAGE)).toEqual({
      title: URL_OF_PAGE,
      tags: [],
      blocks: [{ kind: 'text', text: 'Words' }],
      links: [],
      noindex: false,
      nofollow: false,
      sourceValues: { meta: [], jsonLd: [] },
      markdown: 'Words',
    });
  });

  it('combines the directives for all robots and for this one, and ignores those for others', () => {
    const directives = (meta: string) => {
      const { noindex, nofollow } = extractHtml(meta, URL_OF_PAGE);
      return { noindex, nofollow };
    };
    expect(directives('<meta name=ROBOTS content="NoIndex"><meta name=sitesearchbot content="nofollow">')).toEqual({
      noindex: true,
      nofollow: true,
    });
    expect(directives('<meta name=robots content=none>')).toEqual({ noindex: true, nofollow: true });
    expect(directives('<meta name=otherbot content=noindex>')).toEqual({ noindex: false, nofollow: false });
  });

  it.each(['50', '5;', '0.5', 'url=/x', '5; url=javascript:void 0'])('has no refresh for "%s"', (content) => {
    expect(extractHtml(`<meta http-equiv=refresh content="${content}">`, URL_OF_PAGE).refresh).toBeUndefined();
  });

  it('ignores a refresh in noscript', () => {
    expect(
      extractHtml('<noscript><meta http-equiv=refresh content="0;url=/nojs"></noscript>', URL_OF_PAGE).refresh,
    ).toBeUndefined();
  });
});

describe('the links of a page', () => {
  it('are absolute http and https URLs of the whole page, each once', () => {
    const { links } = extractHtml(
      `<base href="https://cdn.example.com/b/"><nav><a href="x?q=1#part">x</a></nav><a href="#top">top</a>
       <a href="mailto:a@example.com">m</a><a href="javascript:void 0">j</a><a href="http://[">bad</a>
       <a href="x?q=1" rel="NoFollow">again</a><a href="/y" rel="nofollow ugc">y</a><area href="//other.example/z">`,
      URL_OF_PAGE,
    );
    expect(links).toEqual([
      { href: 'https://cdn.example.com/b/x?q=1', nofollow: false },
      { href: 'https://cdn.example.com/y', nofollow: true },
      { href: 'https://other.example/z', nofollow: false },
    ]);
  });

  it('are at most 1,000', () => {
    const many = Array.from({ length: 1500 }, (_, i) => `<a href="/${i}">${i}</a>`).join('');
    expect(extractHtml(many, URL_OF_PAGE).links).toHaveLength(1000);
  });
});

describe('extractHtml', () => {
  it('takes any input without an error', () => {
    const part = fc.constantFrom(
      '<main>',
      '<pre>',
      '</pre>',
      '<table><tr><td>',
      '<h2>',
      '<style>.a{',
      '<script type="application/ld+json">{"@graph":[',
      '<meta http-equiv=refresh content="',
      '<title>',
      '<base href="',
      'a | b',
      '<br>',
      '&#xD800;',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), fc.webUrl(), (parts, url) => {
        const { title, blocks } = extractHtml(parts.join(''), url);
        expect(blocks.every(({ text }) => text.trim() !== '')).toBe(true);
        expect(title !== '' || blocks.length === 0).toBe(true);
      }),
    );
  });

  it('reads the body after a self-closing title in a page that came as XHTML', () => {
    const page = `<html><head><title/></head><body><p>${PROSE}</p></body></html>`;
    expect(plainText(extractHtml(page, URL_OF_PAGE, { xml: true }))).toBe(PROSE.trim());
    expect(extractHtml(page, URL_OF_PAGE).blocks).toEqual([]);
  });

  it('drops repeated passages, except in a page with code', () => {
    const twice = `<div class=small><p>${PROSE}</p><p>$ 12</p></div><div class=wide><p>${PROSE}</p><p>$ 12</p></div>`;
    expect(textOfBody(twice)).toBe(`${PROSE.trim()}\n\n$ 12\n\n$ 12`);
    expect(textOfBody(`${twice}<pre>mill()</pre>`).split('The mill grinds rye and wheat for')).toHaveLength(13);
  });

  it('never splits a surrogate pair in a title or a summary', () => {
    for (const front of ['', 'x']) {
      const long = front + '\u{1f600}'.repeat(400);
      const head = `<title>${long}</title><meta name=description content="${long}">`;
      const titled = extractHtml(`${head}<p>rye</p>`, URL_OF_PAGE);
      const untitled = extractHtml(`<p>${long}</p>`, URL_OF_PAGE);
      for (const text of [titled.title, titled.description ?? '\ud800', untitled.title])
        expect(text.isWellFormed()).toBe(true);
    }
  });

  it('keeps a heading that repeats the title if there is little other text', () => {
    const page = extractHtml('<title>Rye mills</title><h1>Rye mills</h1><p>12 votes</p>', URL_OF_PAGE);
    expect(plainText(page)).toBe('Rye mills\n\n12 votes');
  });

  it('ends lines of code with a line feed', () => {
    expect(textOfBody('<pre>a\r\n  b\rc</pre>')).toBe('a\n  b\nc');
  });

  // Rules that read the nodes around each node would take minutes here.
  it.each([
    [
      'empty elements in front of years',
      `<p class=published>${'<i></i>'.repeat(60_000)}${'<b></b>2020 and on'.repeat(60_000)}`,
    ],
    [
      'headings below a long list of names',
      `<div class="${'a '.repeat(500_000)}">${'<h2>b c</h2>'.repeat(60_000)}</div>`,
    ],
    ['headings in headings', `${'<h1>'.repeat(500)}${'<i></i>'.repeat(200_000)}`],
  ])('reads a page of %s in seconds', (_, html) => {
    expect(extractHtml(html, URL_OF_PAGE).links).toEqual([]);
  });

  it('reads a code sample of a million empty lines', () => {
    expect(textOfBody(`<pre>${'\n'.repeat(1_000_000)}end</pre>`)).toBe('end');
  });
});
