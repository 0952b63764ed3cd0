import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import { textOf } from '../../../lambdas/text/html/tree.ts';

function outline(html: string): string {
  const tree = parseHtml(html);
  const ends: number[] = [];
  let text = '';
  for (const [i, node] of tree.entries()) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) <= i) {
      ends.pop();
      text += ')';
    }
    text += node.name === '' ? JSON.stringify(node.text) : ` ${node.name}(`;
    if (node.name !== '') ends.push(node.end);
  }
  return text + ')'.repeat(ends.length);
}

describe('parseHtml', () => {
  it('closes paragraphs, items and cells without end tags', () => {
    expect(outline('<p>a<p>b<ul><li>c<li>d</ul>')).toBe(' #document( p("a") p("b") ul( li("c") li("d")))');
    expect(outline('<table><tr><td>a<td>b<tr><td>c</table>')).toBe(
      ' #document( table( tbody( tr( td("a") td("b")) tr( td("c")))))',
    );
    expect(outline('<dl><dt>a<dd>b<dt>c</dl>')).toBe(' #document( dl( dt("a") dd("b") dt("c")))');
  });

  it('keeps a list inside an item of another list', () => {
    expect(outline('<ul><li>a<ul><li>b</ul><li>c</ul>')).toBe(' #document( ul( li("a" ul( li("b"))) li("c")))');
  });

  it('ignores an end tag in a cell for an element around the table', () => {
    expect(outline('<div><table><td>a</div>b</table>c</div>')).toBe(
      ' #document( div( table( tbody( tr( td("ab"))))"c"))',
    );
  });

  it('closes a head without an end tag at the first other content', () => {
    expect(outline('<head><meta><script>1</script> <p>a')).toBe(' #document( head( meta() script("1")" ") p("a"))');
    expect(outline('<head><title>t</title>a<b>b')).toBe(' #document( head( title("t"))"a" b("b"))');
    expect(outline('<head><noscript><img></noscript><link></head>a')).toBe(
      ' #document( head( noscript( img()) link())"a")',
    );
  });

  it('keeps text after the end tags of the body and of the page, and after a broken table', () => {
    expect(outline('<html><body><p>a</p></body>b</html>c')).toBe(' #document( html( body( p("a")"bc")))');
    expect(outline('<table><tr><td>a</table></td></tr>b<p>c')).toBe(
      ' #document( table( tbody( tr( td("a"))))"b" p("c"))',
    );
    expect(textOf(parseHtml('<table><tr>a<td>b</div></table></table>c'), 0, 100)).toBe('abc');
  });

  it.each(['<p', '<p ', '<p a', '<p a=', '<p a="b>c', '<p /', '<script', '</p', '<!-- a', '<![CDATA[ a'])(
    'finds no text in a tag that the page ends in: %s',
    (html) => {
      expect(outline(`a${html}`)).toBe(' #document("a")');
    },
  );

  it('makes an empty element of a stray </br> or </p>', () => {
    expect(outline('<div>a</br>b</BR>c</p>d</i>e</div>')).toBe(' #document( div("a" br()"b" br()"c" p()"de"))');
  });

  it('decodes references in text and attributes, and finds no tags in scripts', () => {
    const tree = parseHtml('<p id="a&amp;b">&lt;i&gt; &eacute;</p><script>"<b>"</script>');
    expect(tree[1]?.attributes.id).toBe('a&b');
    expect(textOf(tree, 1, 100)).toBe('<i> é');
    expect(tree.map(({ name }) => name)).toEqual(['#document', 'p', '', 'script', '']);
  });

  it.each([
    ['a &amp;amp; b &ampc &notit; &copy=1', 'a &amp; b &c ¬it; ©=1'],
    ['&#x41;&#65 &#xD800;&#0;&unknown; & &;', 'AA \uFFFD\uFFFD&unknown; & &;'],
    ['&NotEqualTilde;', '≂̸'],
    ['a < b &lt; c << d &am', 'a < b < c << d &am'],
    ['&hellip'.repeat(3), '&hellip'.repeat(3)],
  ])('decodes the text %s as "%s"', (text, read) => {
    expect(textOf(parseHtml(`<p>${text}</p>`), 0, 1000)).toBe(read);
    expect(textOf(parseHtml(`<title>${text}</title>`), 0, 1000)).toBe(read);
  });

  it('leaves unterminated references in query strings, and all references in styles, as they are', () => {
    expect(parseHtml('<a href="?a=1&copy=2&amp;b&lt;&reg">')[1]?.attributes.href).toBe('?a=1&copy=2&b<®');
    expect(parseHtml('<style>&amp;</style>')[2]?.text).toBe('&amp;');
    expect(parseHtml('<svg><style>&amp;</style></svg>')[3]?.text).toBe('&');
  });

  it.each([
    ['an XML declaration', '<?xml version="1.0"?><html>'],
    ['the namespace of XHTML', '<!DOCTYPE html><html lang="en" xmlns="http://www.w3.org/1999/xhtml">'],
  ])('reads a self-closing element as empty in a page with %s', (_, start) => {
    for (const name of ['title', 'script', 'style', 'textarea', 'iframe', 'noscript', 'xmp', 'a', 'div']) {
      const tree = parseHtml(`${start}<${name} id="x" /><p>rye</p></html>`);
      const at = tree.findIndex((node) => node.name === name);
      expect(tree[at]?.end).toBe(at + 1);
      expect(tree[at + 1]?.name).toBe('p');
    }
  });

  it('reads a self-closing element as open in other pages, unless the caller says that the page is XML', () => {
    expect(outline('<title/><p>rye</p>')).toBe(' #document( title("<p>rye</p>"))');
    expect(outline('<p>xmlns="http://www.w3.org/1999/xhtml"</p><b/>rye')).toContain('b("rye")');
    expect(parseHtml('<title/><p>rye</p>', { isXml: true }).map(({ name }) => name)).toEqual([
      '#document',
      'title',
      'p',
      '',
    ]);
  });

  it('reads a self-closing svg element as empty', () => {
    expect(outline('<svg width="9"/><p>rye</p>')).toBe(' #document( svg() p("rye"))');
  });

  it.each([
    ['nested elements and end tags without start', `${'<div>'.repeat(100_000)}${'</i>'.repeat(500_000)}`],
    [
      'end tags that do not reach their element',
      `<p><table><td>${'<b>'.repeat(400)}${'</p></h1></span>'.repeat(60_000)}`,
    ],
    ['misnested formatting', '<b><p></b>'.repeat(100_000)],
    ['paragraphs in deep formatting', `${'<i>'.repeat(400)}${'<p>'.repeat(300_000)}`],
    ['drawings', '<svg><g><p>'.repeat(90_000)],
    ['roots', '<body class=a><html lang=b>'.repeat(40_000)],
    ['tables', '<table><tr><td>'.repeat(60_000)],
    ['references', `<p>${'&'.repeat(1_000_000)}`],
    ['attributes', `<p ${'class=a '.repeat(100_000)}>`],
    ['references in attributes', `<p class="${'&amp;'.repeat(200_000)}">`],
    ['signs that begin no tag', '<'.repeat(1_000_000)],
    ['end tags of scripts that are cut off', `<script>${'</script'.repeat(120_000)}`],
    ['open comments', '<!--'.repeat(250_000)],
    ['open tags', '<p '.repeat(300_000)],
    ['open scripts', '<script>'.repeat(100_000)],
  ])(
    'reads a megabyte of %s in linear time',
    (_, html) => {
      const tree = parseHtml(html);
      expect(tree[0]?.end).toBe(tree.length);
    },
    5_000,
  );

  it('keeps the text below 100,000 nested elements', () => {
    expect(textOf(parseHtml(`${'<div>'.repeat(100_000)}deep`), 0, 100)).toBe('deep');
  });

  it('places the subtree of every node inside that of its parent, for any input', () => {
    const tag = fc.constantFrom(
      '<p>',
      '</p>',
      '<td>',
      '<table>',
      '</table>',
      '<svg/>',
      '</svg>',
      '<li>',
      '<a x=1>',
      '<',
      'é&amp;',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string())), (parts) => {
        const tree = parseHtml(parts.join(''));
        expect(tree[0]?.end).toBe(tree.length);
        for (const [i, { parent, end }] of tree.entries()) {
          if (i === 0) continue;
          expect(parent).toBeLessThan(i);
          expect(end).toBeGreaterThan(i);
          expect(end).toBeLessThanOrEqual(tree[parent]?.end ?? 0);
        }
      }),
    );
  });
});
