import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];
/** Of Lit: HTML around values. */
type Template = { readonly strings: readonly string[]; readonly values: readonly unknown[] };

const folder = join(import.meta.dirname, '../../web/widgets/answer');
const { markdownParts, markdownWords, settled } = await import(join(folder, 'markdown.ts'));

const SOURCES = [
  { url: 'https://www.example/prices', title: 'Prices', relevance: 1, score: 1 },
  { url: 'https://www.example/refunds', title: 'Refunds "within" 14 days', relevance: 1, score: 1 },
  { url: 'javascript:alert(1)', title: 'A source that is no page', relevance: 1, score: 1 },
];
const CONTEXT = {
  sources: SOURCES,
  citation: ({ title }: { title: string }, number: number) => `Source ${number}: ${title}`,
  copyLabel: 'Copy',
  copiedLabel: 'Copied',
  tableLabel: 'Table',
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Writes templates as HTML, as Lit puts their values into the page: as texts and values of attributes. */
function htmlOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (typeof value === 'symbol') return '';
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  const { strings, values } = value as Template;
  return strings
    .map((part, i) => {
      if (i === values.length) return part;
      if (/[@.?][\w-]+=$/.test(part)) return `${part}""`;
      return /=$/.test(part) ? `${part}"${escaped(String(values[i]))}"` : part + htmlOf(values[i]);
    })
    .join('');
}

const htmlFor = (markdown: string, isWhole = true): string => htmlOf(markdownParts(markdown, CONTEXT, isWhole));

function elementsIn(node: Node): readonly Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(elementsIn) : [];
  return 'attrs' in node ? [node, ...children] : children;
}

const elementsFor = (markdown: string): readonly Element[] => elementsIn(parseFragment(htmlFor(markdown)));
const namesFor = (markdown: string): readonly string[] => elementsFor(markdown).map(({ tagName }) => tagName);
const linksFor = (markdown: string): readonly string[] =>
  elementsFor(markdown).flatMap(({ attrs }) => attrs.filter(({ name }) => name === 'href').map(({ value }) => value));

function textFor(markdown: string): string {
  const text = (node: Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(text).join('') : '';
  return text(parseFragment(htmlFor(markdown))).trim();
}

describe('the Markdown of an answer', () => {
  it('becomes paragraphs, lists, quotations, code, emphasis and tables', () => {
    expect(namesFor('One **two** *three* `four` ~~five~~')).toEqual(['p', 'strong', 'em', 'code', 'del']);
    expect(namesFor('- a\n- b\n  1. c')).toEqual(['ul', 'li', 'li', 'ol', 'li']);
    expect(namesFor('> said\n\n---')).toEqual(['blockquote', 'p', 'hr']);
    expect(namesFor('```js\nlet a;\n```')).toEqual(['div', 'pre', 'code']);
    expect(namesFor('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('td');
    expect(htmlFor('3. three\n4. four')).toContain('<ol start="3">');
  });

  it('shows a heading as a strong paragraph, which leaves the outline of the page alone', () => {
    expect(namesFor('# Title\n\n## Second')).toEqual(['p', 'strong', 'p', 'strong']);
  });

  it('links citations to the sources that they number', () => {
    expect(linksFor('It costs 12 euros. [1] Refunds take 14 days. [2][1]')).toEqual([
      'https://www.example/prices',
      'https://www.example/refunds',
      'https://www.example/prices',
    ]);
    expect(htmlFor('So it is. [2]')).toContain('aria-label="Source 2: Refunds &#34;within&#34; 14 days"');
  });

  it.each(['[3]', '[4]', '[0]', '[99]'])('leaves %s as it is, which numbers no source that can be opened', (sign) => {
    expect(textFor(`So it is. ${sign}`)).toBe(`So it is. ${sign}`);
    expect(linksFor(`So it is. ${sign}`)).toEqual([]);
  });

  it('keeps a link to a source, and of any other link the words', () => {
    expect(linksFor('See [the prices](https://www.example/prices).')).toEqual(['https://www.example/prices']);
    expect(linksFor('See https://www.example/prices')).toEqual(['https://www.example/prices']);
    expect(textFor('See [here](https://evil.example/) now.')).toBe('See here now.');
    expect(linksFor('See [here](https://evil.example/) and https://evil.example and www.evil.example.')).toEqual([]);
  });

  it('resolves escapes and entities into text', () => {
    expect(textFor('1 \\< 2 &lt; 3 &amp; \\*so\\*')).toBe('1 < 2 < 3 & *so*');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](/login)',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '[x]: https://evil.example\n\n[x]',
    '<javascript:alert(1)>',
    '<https://evil.example>',
    'mail somebody@evil.example',
    '![x](https://evil.example/pixel.png)',
    '[![x](https://evil.example/pixel.png)](https://evil.example)',
    '<a href="https://evil.example">x</a>',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<iframe srcdoc="x"></iframe>',
    '<svg onload=alert(1)>',
    '<style>*{display:none}</style>',
    '<form action="https://evil.example"><input name=password>',
    '<details open ontoggle=alert(1)>',
    'text <b onclick=alert(1)>bold</b> text',
    '| a |\n|---|\n| <img src=x onerror=alert(1)> [x](javascript:alert(1)) |',
    '```html\n<script>alert(1)</script>\n```',
    '`<img src=x onerror=alert(1)>`',
    '<!-- comment --> <?php x ?> <![CDATA[x]]>',
    'https://www.example/prices.evil.example',
    'https://www.example/prices@evil.example',
  ])('has no link, picture or element of %j', (markdown) => {
    const allowed = ['p', 'code', 'pre', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'strong', 'em', 'br'];
    for (const { tagName, attrs } of elementsFor(markdown)) {
      expect(allowed).toContain(tagName);
      for (const { name } of attrs)
        expect(['class', 'tabindex', 'role', 'aria-label', 'scope', 'type']).toContain(name);
    }
    expect(htmlFor(markdown)).not.toMatch(/\s(?:on\w+|src|href|style)="/);
  });

  it('shows raw HTML as text', () => {
    expect(textFor('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
    expect(textFor('a <b>bold</b> word')).toBe('a <b>bold</b> word');
    expect(textFor('![a boat](https://evil.example/boat.png)')).toBe('a boat');
  });

  it.each([
    ['quotations', '>'.repeat(20_000)],
    ['lists', '- '.repeat(10_000)],
    ['brackets', '['.repeat(20_000)],
    ['images', '!['.repeat(10_000)],
    ['links', '[a]('.repeat(5_000)],
    ['emphasis', '*a _b '.repeat(4_000)],
    ['backquotes', '`a``b'.repeat(4_000)],
    ['tables', `|${'a|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}\n|${'b|'.repeat(3_000)}`],
    ['tags', '<a '.repeat(7_000)],
    ['indented lists', Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}- a`).join('\n')],
    ['more than is formatted', 'word '.repeat(200_000)],
  ])('is shown soon, whatever a model repeats: %s', (_, markdown) => {
    const start = performance.now();
    expect(htmlFor(`${markdown} end`, false).length).toBeLessThan(500_000);
    expect(htmlFor(`Begin. ${markdown} end`)).toContain('Begin');
    expect(markdownWords(markdown).length).toBeLessThan(100_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('is announced without markup and citations', () => {
    expect(markdownWords('It **costs** 12 euros. [1][2]\n\n- a [x](https://evil.example)\n- `b`')).toBe(
      'It costs 12 euros. a x b',
    );
  });
});

describe('Markdown that is still written', () => {
  it.each([
    ['It is **very', 'It is **very**'],
    ['It is **very**', 'It is **very'],
    ['Run `npm', 'Run `npm`'],
    ['See [the pri', 'See '],
    ['See [the prices](https://www.exa', 'See '],
    ['So it is. [', 'So it is. '],
    ['The plans:\n\n| a | b |', 'The plans:\n\n'],
    ['The plans:\n\n| a | b |\n|--', 'The plans:\n\n'],
    ['| a |\n|---|\n| 1 |', '| a |\n|---|\n| 1 |'],
    ['```\nlet a = [', '```\nlet a = ['],
    ['One.\n\nTwo *', 'One.\n\nTwo '],
  ])('%j is shown as %j', (markdown, shown) => {
    expect(settled(markdown).replace(/\*\*$/, '')).toBe(shown.replace(/\*\*$/, ''));
  });

  it('never shows a sign of markup that the next part takes back', () => {
    const whole = 'A **bold** word, `code`, a [link](https://www.example/prices) [1].\n\n- one\n- **two** [2]\n';
    const seen = Array.from({ length: whole.length }, (_, i) => htmlFor(whole.slice(0, i + 1), false));
    const texts = seen.map((html) => html.replace(/<[^>]*>/g, ''));
    expect(texts.filter((text) => /[*`[\]]|https/.test(text))).toEqual([]);
  });

  it('shows an open block of code as code', () => {
    expect(htmlFor('```\nlet a', false)).toContain('<code>let a</code>');
  });
});
