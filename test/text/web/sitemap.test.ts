import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SitemapEntry, SitemapReader } from '../../../lambdas/text/web/sitemap.ts';

const URL_OF_SITEMAP = 'https://example.com/maps/sitemap.xml';

function entriesOf(file: string | Uint8Array, cuts: readonly number[] = []): readonly SitemapEntry[] {
  const bytes = Buffer.from(file);
  const reader = new SitemapReader(URL_OF_SITEMAP);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const found = edges.slice(1).flatMap((end, i) => reader.write(bytes.subarray(edges[i], end)));
  return [...found, ...reader.end()];
}

const urlsOf = (file: string | Uint8Array) => entriesOf(file).map(({ url }) => url);
const page = (path: string) => ({ kind: 'page', url: `https://example.com${path}` });
const PROTOCOL = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const urlset = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${PROTOCOL}">${inside}</urlset>`;
const loc = (address: string) => urlset(`<url><loc>${address}</loc></url>`);

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>News</title><link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
<image><url>https://example.com/logo.png</url><link>https://example.com/</link></image>
<item><title>A</title><link>https://example.com/a</link><guid isPermaLink="false">17</guid>
  <pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate><enclosure url="https://example.com/a.mp3"/></item>
<item><guid>https://example.com/b</guid></item>
<item><guid isPermaLink="false">https://example.com/no</guid></item></channel></rss>`;
const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://example.com/"><link>https://example.com/</link>
<items><rdf:Seq><rdf:li rdf:resource="https://example.com/a"/></rdf:Seq></items></channel>
<item rdf:about="https://example.com/a"><title>A</title><link>https://example.com/a</link></item></rdf:RDF>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/>
<link rel="self" href="/feed"/>
<entry><link rel="edit" href="/edit/1"/>
<link href="/a?x=1&amp;y=2" title="a > b"/><updated>2026-03-01T00:00:00Z</updated>
<source><link href="/elsewhere"/></source><content type="xhtml"><div><a href="/c">c</a></div></content></entry>
<entry><link rel='alternate' type='text/html' href='/b' /></entry>
<entry><link rel="enclosure" href="/b.zip"/></entry></feed>`;

describe('a sitemap', () => {
  it('names pages of any host', () => {
    const file = urlset(`
      <url><loc> https://example.com/a </loc><lastmod>2026-01-02</lastmod><priority>0.5</priority></url>
      <url><lastmod>2026-01-03T10:00:00+01:00</lastmod><loc>https://example.com/b</loc></url>
      <url><loc>http://other.example/c</loc><changefreq>daily</changefreq></url>`);
    expect(entriesOf(file)).toEqual([page('/a'), page('/b'), { kind: 'page', url: 'http://other.example/c' }]);
  });

  it('names further sitemaps if it is an index', () => {
    const file = '<sitemapindex><sitemap><loc>s1.xml.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>';
    expect(entriesOf(file)).toEqual([{ kind: 'sitemap', url: 'https://example.com/maps/s1.xml.gz' }]);
  });

  it.each([
    ['/a', 'https://example.com/a'],
    ['a/../b?c', 'https://example.com/maps/b?c'],
    ['//other.example/a', 'https://other.example/a'],
    ['?q=1', 'https://example.com/maps/sitemap.xml?q=1'],
    ['https://EXAMPLE.com:443/%7ea#part', 'https://example.com/~a'],
    ['\n\thttps://example.com/a\n', 'https://example.com/a'],
    ['/a?b=1&amp;c=2', 'https://example.com/a?b=1&c=2'],
    ['/a?b=1&c=2&copy=3', 'https://example.com/a?b=1&c=2&copy=3'],
    ['/&#x61;&#98;&amp;&lt;&apos;', "https://example.com/ab&%3C'"],
    ['/a?b&amp;#38;', 'https://example.com/a?b&'],
    ['/&#99999999;', 'https://example.com/&'],
    ['<![CDATA[/a?b=1&c=2&amp;]]>', 'https://example.com/a?b=1&c=2&amp;'],
    ['/a<![CDATA[/b]]>/c', 'https://example.com/a/b/c'],
    ['<!-- /no -->/a<?no /no?>', 'https://example.com/a'],
    ['/ünï', 'https://example.com/%C3%BCn%C3%AF'],
  ])('reads %s as %s', (written, url) => {
    expect(urlsOf(loc(written))).toEqual([url]);
  });

  it.each(['', ' \n', 'javascript:alert(1)', 'mailto:a@example.com', 'http://', `/${'a'.repeat(2048)}`, '&#32;'])(
    'ignores the address %j',
    (address) => {
      expect(urlsOf(urlset(`<url><loc>${address}</loc></url><url><loc>/b</loc></url>`))).toEqual([
        'https://example.com/b',
      ]);
    },
  );

  it('may use a prefix, capitals and attributes; addresses of images, videos and translations are not pages', () => {
    const file = `<s:urlset xmlns:s="x"><s:URL id="1"><image:image><image:loc>/i.png</image:loc></image:image>
      <video:video><video:player_loc>/v</video:player_loc></video:video><image:loc>/j.png</image:loc>
      <xhtml:link rel="alternate" hreflang="de" href="/de/"/><s:Loc xml:space='preserve'>/a</s:Loc></s:URL></s:urlset>`;
    expect(urlsOf(file)).toEqual(['https://example.com/a']);
  });

  it.each([
    ['RSS 2.0', RSS, [page('/a'), page('/b')]],
    ['RSS 1.0', RDF, [page('/a')]],
    ['Atom', ATOM, [page('/a?x=1&y=2'), page('/b')]],
  ])('may be an %s feed', (_, file, entries) => {
    expect(entriesOf(file)).toEqual(entries);
  });

  it.each(['\n', '\r\n', '\r', '\n\n  '])('may be plain text with lines that end in %j', (end) => {
    const lines = [
      'https://example.com/a',
      '# a note',
      'a note',
      '/b?c ',
      '',
      'ftp://example.com/',
      '\thttp://x.example/',
    ];
    expect(urlsOf(`\ufeff${lines.join(end)}`)).toEqual([
      'https://example.com/a',
      'https://example.com/b?c',
      'http://x.example/',
    ]);
  });

  it('ends after 50,000 entries', () => {
    const reader = new SitemapReader(URL_OF_SITEMAP);
    const lines = Buffer.from(Array.from({ length: 60_000 }, (_, n) => `/${n}\n`).join(''));
    expect(reader.isDone).toBe(false);
    expect([...reader.write(lines), ...reader.end()].length).toBe(50_000);
    expect(reader.isDone).toBe(true);
  });
});

describe('a file that is not a sitemap', () => {
  it.each([
    '',
    '\ufeff',
    '<',
    '<!DOCTYPE html><html><body><url><loc>/a</loc></url></body></html>',
    '<html xmlns="http://www.w3.org/1999/xhtml"><item><link>/a</link></item></html>',
    '<h1>Not found</h1><a href="/a">a</a>',
    '{"urls":["https://example.com/a"]}',
    'Not found',
    '\u0000\u0001\uffff',
  ])('has no entries: %j', (file) => {
    expect(urlsOf(file)).toEqual([]);
  });

  it('need not be read to its end if it is HTML', () => {
    const reader = new SitemapReader(URL_OF_SITEMAP);
    reader.write(Buffer.from(`<!doctype html>\n<html>${' '.repeat(20_000)}`));
    expect(reader.isDone).toBe(true);
  });
});

describe('entities', () => {
  it('that the document declares are not expanded', () => {
    const bomb = `<!DOCTYPE urlset [<!ENTITY a "/lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;
    expect(urlsOf(`${bomb}<urlset><url><loc>/&b;&c;</loc></url></urlset>`)).toEqual(['https://example.com/&b;&c;']);
  });
});

describe('a broken sitemap', () => {
  it.each([
    ['cut in an address', '<urlset><url><loc>/a</loc></url><url><loc>/b', ['/a']],
    ['cut behind an address', '<urlset><url><loc>/a</loc></url><url><loc>/b</loc>', ['/a', '/b']],
    ['cut in a tag', '<urlset><url><loc>/a</loc></url><url><loc>/b</lo', ['/a']],
    ['with entries left open', '<urlset><url><loc>/a</loc><url><loc>/b</loc></urlset>', ['/a', '/b']],
    ['with addresses left open', '<urlset><url><loc>/a</url><url><loc>/b<lastmod>2026</url>', ['/a', '/b']],
    [
      'with stray ends',
      '</x><urlset><url></y><loc>/a</loc></loc></url></url></urlset><url><loc>/b</loc></url>',
      ['/a', '/b'],
    ],
    ['with a stray "<"', '<urlset>< <<url><loc>/a</loc></url><1><url><loc>/b</loc></url>', ['/a', '/b']],
    ['with a tag that never ends', '<urlset><url <loc>/a</loc></url><url><loc>/b</loc></url>', ['/b']],
    ['after a warning', 'Warning: x in /y.php\n<br /><?xml version="1.0"?><urlset><url><loc>/a</loc></url>', ['/a']],
    ['without root', '<url><loc>/a</loc></url><url><loc>/b</loc></url>', ['/a', '/b']],
    ['with two addresses', '<url><loc>/a</loc><loc>/b</loc></url>', ['/a']],
  ])('is read as far as possible: %s', (_, file, paths) => {
    expect(urlsOf(file)).toEqual(paths.map((path) => `https://example.com${path}`));
  });
});

describe('the encoding of a sitemap', () => {
  const utf16 = (text: string, big: boolean) =>
    big ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le');
  const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${loc('/é').slice(38)}`;

  it.each([
    ['a UTF-8 mark', Buffer.from(`\ufeff${xml('ISO-8859-1')}`)],
    ['a UTF-16 mark', utf16(`\ufeff${xml('UTF-16')}`, false)],
    ['a UTF-16 mark, big end first', utf16(`\ufeff${xml('UTF-16')}`, true)],
    ['UTF-16 without a mark', utf16(xml('UTF-16'), false)],
    ['UTF-16 without a mark, big end first', utf16(xml('UTF-16'), true)],
    ['a declaration', Buffer.from(xml('ISO-8859-1'), 'latin1')],
    ['no declaration', Buffer.from('<url><loc>/é</loc></url>')],
    ['a false declaration of UTF-16', Buffer.from(xml('UTF-16'))],
    ['an unknown declaration', Buffer.from(xml('nonsense'))],
  ])('comes from %s', (_, bytes) => {
    expect(urlsOf(bytes)).toEqual(['https://example.com/%C3%A9']);
  });
});

describe('the parts in which a file arrives', () => {
  const FILES = [RSS, RDF, ATOM, loc('/ünï&amp;<![CDATA[&]]>'), '/a\r\n/é\nhttps://example.com/💩'];
  const cuts = fc.array(fc.nat(5000), { maxLength: 20 });

  it('make no difference', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FILES), cuts, (file, at) => {
        expect(entriesOf(file, at)).toEqual(entriesOf(file));
      }),
    );
  });

  it('make no difference at the edge of a block either', () => {
    const entries = FILES.map((file) => entriesOf(file));
    fc.assert(
      fc.property(fc.nat(FILES.length - 2), fc.integer({ min: 15_000, max: 16_384 }), (index, before) => {
        const file = FILES[index] as string;
        const declared = file.startsWith('<?xml') ? file.indexOf('?>') + 2 : 0;
        expect(entriesOf(`${file.slice(0, declared)}<!--${'-'.repeat(before)}-->${file.slice(declared)}`)).toEqual(
          entries[index],
        );
      }),
    );
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

describe('a hostile file', () => {
  it('never throws', () => {
    const pieces = [
      '<url>',
      '<loc>',
      '/a',
      '</loc>',
      '</url>',
      '<',
      '>',
      '"',
      "'",
      '<!--',
      '-->',
      ']]>',
      '<![CDATA[',
      '&#x110000;',
      '\n',
      '<?',
      '\ufeff',
    ];
    const soup = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 40 });
    fc.assert(
      fc.property(soup, (parts) => {
        for (const { url } of entriesOf(parts.join(''))) expect(URL.canParse(url)).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expect(entriesOf(bytes)).toBeDefined()));
  });

  it.each([
    ['text', '<url><loc>', 'a'],
    ['line', '', 'a'],
    ['attribute value', '<url a="', 'a'],
    ['attribute name', '<url ', 'a'],
    ['tag with attributes', '<url ', 'a="b" '],
    ['tag name', '<', 'a'],
    ['end tag', '<url></', 'a'],
    ['comment', '<!--', '-'],
    ['CDATA section', '<url><loc><![CDATA[', ']'],
    ['processing instruction', '<?xml ', '?'],
    ['declaration', '<!DOCTYPE ', '['],
    ['character reference', '<url><loc>&#', '3'],
  ])('is not kept in memory: a %s of 4 MB that never ends', (_, start, piece) => {
    const part = Buffer.alloc(65_536, piece);
    const reader = new SitemapReader(URL_OF_SITEMAP);
    reader.write(Buffer.from(start));
    const before = heapMegabytes();
    for (let round = 0; round < 64; round++) reader.write(part);
    expect(heapMegabytes() - before).toBeLessThan(1);
    expect(reader.end()).toEqual([]);
  });

  it.each([
    ['elements that never end', '', '<url>'],
    ['nested elements', '<url>', '<a>'],
    ['start tags before stray end tags', `<url>${'<a>'.repeat(100_000)}`, '</b>'],
    ['open quotes', '', '<"'],
    ['open tags', '', '<'],
    ['character references', '<url><loc>', '&#38;'],
    ['ampersands', '<url><loc>', '&'],
    ['broken references', '<url a="', '&#3'],
    ['empty lines', '', '\n'],
    ['elements that hold no address', '<url>', '<lastmod>1</lastmod>'],
  ])('takes linear time and little memory: %s', (_, start, piece) => {
    const part = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
    const reader = new SitemapReader(URL_OF_SITEMAP);
    const before = heapMegabytes();
    const began = process.cpuUsage();
    const found = [...reader.write(Buffer.from(start))];
    for (let round = 0; round < 32; round += 1) found.push(...reader.write(part));
    expect(process.cpuUsage(began).user / 1_000_000).toBeLessThan(4);
    expect(heapMegabytes() - before).toBeLessThan(1);
    expect([...found, ...reader.end()]).toEqual([]);
  });
});
