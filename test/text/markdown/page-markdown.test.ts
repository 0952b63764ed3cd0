import { describe, expect, it } from '@jest/globals';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { extractText } from '../../../lambdas/text/extraction/extract-text.ts';
import { markdownLinks } from '../../../lambdas/text/markdown/markdown-links.ts';
import { blocksMarkdown, CUT_NOTE, MAX_MARKDOWN } from '../../../lambdas/text/markdown/page-markdown.ts';
import { visibleText } from '../../../lambdas/text/visible-text.ts';

const URL_OF_PAGE = 'https://www.example/guide/page';
const written = (html: string): string =>
  extractHtml(html, URL_OF_PAGE, { clean: true, title: 'Title' }).markdown ?? '';
const sent = (markdown: string, url = URL_OF_PAGE) => extractText(markdown, url).markdown;

describe('the Markdown of a page', () => {
  it.each([
    ['headings of all levels', '<h2>A</h2><p>b</p><h4>C <code>d</code></h4>', '## A\n\nb\n\n#### C `d`'],
    ['no link of a heading to itself', '<h2 id=a><a href="#a">A</a> <a href="#a">#</a></h2>', '## A'],
    ['hashes at the end of a heading', '<h2>A ##</h2>', '## A \\##'],
    ['lines of a paragraph', '<p>one<br>two</p>', 'one  \ntwo'],
    ['a nested list', '<ul><li>a<ul><li>b<li>c</ul><li>d</ul>', '- a\n  - b\n  - c\n- d'],
    ['a numbered list from its start', '<ol start=9><li>a<li>b<ul><li>c</ul></ol>', '9. a\n10. b\n    - c'],
    ['two lists apart', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
    ['code in an item', '<ol><li>Run:<pre>x\n  y</pre><li>b</ol>', '1. Run:\n\n   ```\n   x\n     y\n   ```\n2. b'],
    ['terms with explanations', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', '- a\n\n  b\n- c\n\n  d'],
    ['a quote', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['emphasis', '<p>a <b>b </b>c<i>d</i> <strong><em>e</em></strong></p>', 'a **b** c*d* ***e***'],
    ['emphasis only where it is read as such', '<p>a<b>(b)</b>c</p>', 'a(b)c'],
    ['code with backticks', '<p><code>a`b</code> <code>`</code></p>', '``a`b`` `` ` ``'],
    ['links with their fragments', '<p><a href="../x?a=1#b">c</a></p>', '[c](https://www.example/x?a=1#b)'],
    [
      'a link around blocks',
      '<a href="/x"><h3>a</h3><p>b</p></a>',
      '### [a](https://www.example/x)\n\n[b](https://www.example/x)',
    ],
    ['parentheses of addresses', '<p><a href="/a_(b)">c</a></p>', '[c](https://www.example/a_%28b%29)'],
    ['a bang before a link', '<p>a!<a href="/b">c</a></p>', 'a\\![c](https://www.example/b)'],
    [
      'only the text of other links',
      '<p><a href="javascript:x">a</a> <a href="data:text/html,x">b</a> <a href="mailto:c@d.e">c</a> <a href="">d</a></p>',
      'a b c [d](https://www.example/guide/page)',
    ],
    [
      'a table',
      '<table><caption>All</caption><tr><th>a<th>b</tr><tr><td>1|2<td><a href=/x>c</a> <code>d|e</code></tr><tr><td>3</table>',
      'All\n\n| a | b |\n| --- | --- |\n| 1\\|2 | [c](https://www.example/x) `d\\|e` |\n| 3 |  |',
    ],
    [
      'a table without a head, and cells over several rows',
      '<table><tr><td rowspan=2>a<td>b</tr><tr><td>c</tr></table>',
      '|  |  |\n| --- | --- |\n| a | b |\n| a | c |',
    ],
    ['text instead of markup', '<p>&lt;script&gt;x&lt;/script&gt; &amp;lt;</p>', '\\<script>x\\</script> \\&lt;'],
    ['nothing that snippets may not show', '<p>a <span data-nosnippet>b</span></p><div data-nosnippet>c</div>', 'a'],
  ])('has %s', (_, html, expected) => {
    expect(written(html)).toBe(expected);
  });

  it.each([
    ['<pre><code class="language-ts">x</code></pre>', 'ts'],
    ['<pre class="lang-c++">x</pre>', 'c++'],
    ['<pre><code class="hljs javascript">x</code></pre>', 'javascript'],
    ['<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', 'python'],
    ['<div class="highlight highlight-source-shell"><pre>x</pre></div>', 'shell'],
    ['<pre data-language="js"><code>x</code></pre>', 'js'],
    ['<pre><code data-lang=go>x</code></pre>', 'go'],
    ['<div class="highlight-default"><pre>x</pre></div>', ''],
    ['<pre class="language-`x">x</pre>', ''],
  ])('names the language of code: %s', (html, language) => {
    expect(written(html)).toBe(`\`\`\`${language}\nx\n\`\`\``);
  });

  it('leaves out what visitors do not see', () => {
    const hidden =
      '<p hidden>a</p><p aria-hidden=true>b</p><p style="display:none">c</p><p style="font-size:0">d</p><template>e</template>' +
      '<script>f</script><nav><a href=/g>g</a></nav><!-- h -->';
    const words = 'All that this page says to its readers is in this one paragraph, which is long enough. '.repeat(5);
    const { markdown } = extractHtml(`<main><p>${words}</p>${hidden}</main>`, URL_OF_PAGE);
    expect(markdown).toBe(words.trim());
  });

  it('leaves out the heading that repeats the title, and text that is repeated for other screens', () => {
    const words = 'A paragraph that is shown on wide screens and on narrow ones.';
    const html = `<title>Mills</title><main><h1>Mills</h1><p>${words}</p><p>${words}</p><h2>Kinds</h2><p>Two.</p></main>`;
    expect(extractHtml(html, URL_OF_PAGE).markdown).toBe(`${words}\n\n## Kinds\n\nTwo.`);
  });

  it('is cut at a block, says so, and closes code', () => {
    const paragraph = `<p>${'word '.repeat(2000)}</p>`;
    const long = written(paragraph.repeat(150));
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(MAX_MARKDOWN);
    expect(long.endsWith(`word\n\n${CUT_NOTE}`)).toBe(true);
    const code = written(`<pre>${'é\n'.repeat(600_000)}</pre>`);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(MAX_MARKDOWN);
    expect(code.endsWith(`é\n\`\`\`\n\n${CUT_NOTE}`)).toBe(true);
  });

  it.each([
    ['lists', '<ul><li>x'],
    ['quotes', '<blockquote>x'],
    ['numbered lists', '<ol start=99999999><li>x'],
    ['links', '<a href=/x>y</a>'],
    ['emphasis', '<b>x</b><i>y</i>!'],
    ['tables', '<table><tr><td colspan=1000>x'],
    ['code', '<pre>x</pre>'],
    ['backticks', '<code>`</code>'],
  ])('takes linear time for many %s', (_, html) => {
    const started = performance.now();
    expect(Buffer.byteLength(written(html.repeat(10_000)))).toBeLessThanOrEqual(MAX_MARKDOWN);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe('Markdown that was sent', () => {
  const source =
    '# A\n\n* b  \n  [c](d.md "e") `<!-- f -->`\n\n~~~js\n<!-- g -->\n~~~\n\n| h | i |\n|:--|--:|\n| j | k |\n\n<b>l</b>';

  it('comes back as it was', () => {
    expect(extractText(source, URL_OF_PAGE)).toMatchObject({ markdown: source, isMarkdown: true });
    expect(sent(source.replaceAll('\n', '\r\n'))).toBe(source);
  });

  it('loses what its readers do not see: front matter, comments and invisible characters', () => {
    expect(sent(`---\na: b\n---\n<!-- c\nd -->\n${source} <!-- e --> f\u200b\u{e0041}\n`)).toBe(`${source}  f`);
  });

  it('is no Markdown in a text file, whose blocks are written', () => {
    const { blocks, markdown } = extractText('# a\n\n1. <b>', 'https://www.example/a.txt');
    expect([markdown, blocksMarkdown(blocks)]).toEqual([undefined, '\\# a\n\n1\\. \\<b>']);
  });
});

describe('stored blocks without Markdown', () => {
  it('are written with headings, lists, code and tables', () => {
    expect(
      blocksMarkdown([
        { kind: 'heading', level: 2, text: 'A #' },
        { kind: 'text', text: 'b\n# c' },
        { kind: 'list', text: 'd\n  e' },
        { kind: 'code', text: '```' },
        { kind: 'table', text: 'f | g\nh | i', head: 0 },
        { kind: 'text', text: 'hidden', isSearchOnly: true },
      ]),
    ).toBe('## A \\#\n\nb  \n\\# c\n\n- d\n  - e\n\n````\n```\n````\n\n| f | g |\n| --- | --- |\n| h | i |');
  });
});

describe('the links of Markdown', () => {
  it('are those outside of code, absolute, with their text', () => {
    const markdown =
      '[a](b) ![c](d) `[e](f)` \\[g](h) [`i` **j**](</k> "l") [m](javascript:n) [](o)\n\n```\n[p](q)\n```\n- ```\n  [r](s)\n  ```\n[t\\]](#u)';
    expect(markdownLinks(markdown, URL_OF_PAGE)).toEqual([
      { text: 'a', url: 'https://www.example/guide/b' },
      { text: 'c', url: 'https://www.example/guide/d' },
      { text: 'i j', url: 'https://www.example/k' },
      { text: 't]', url: 'https://www.example/guide/page#u' },
    ]);
  });
});

describe('visible text', () => {
  it.each([
    ['a\u200bb\u200cc\u200dd\ufeffe', 'abcde'],
    ['\u202ea\u2066b\u2069\u200f', 'ab'],
    ['\u{e0068}\u{e0069}a\ufe01\u{e0101}', 'a'],
    ['a\u0000\u001b[31m\u0085b\tc\n', 'a[31mb\tc\n'],
    ['\ue000\u3164\ud800x', 'x'],
    ['👩\u200d🚒 ❤\ufe0f 👍🏽', '👩\u200d🚒 ❤\ufe0f 👍🏽'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['क्\u200dष', 'क्\u200dष'],
  ])('of %j is %j', (text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });
});
