import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractText } from '../../../lambdas/text/extraction/extract-text.ts';

const URL_OF_PAGE = 'https://example.com/docs/readme.md';

describe('extractText', () => {
  it('reads headings, paragraphs, lists, tables and code of Markdown', () => {
    const text = `---
layout: page
---
# Mills

Some **bold** words in [a guide](guide.md "Guide"),
on two lines.

Running
-------
- rye
* wheat
  of spring

| Grain | Price |
|-------|------:|
| rye   | \`2\`   |

~~~sh
# no heading
  mill --run
~~~
`;
    expect(extractText(text, URL_OF_PAGE)).toMatchObject({
      title: 'Mills',
      blocks: [
        { kind: 'text', text: 'Some bold words in a guide, on two lines.' },
        { kind: 'heading', level: 2, text: 'Running' },
        { kind: 'list', text: 'rye\nwheat of spring' },
        { kind: 'table', text: 'Grain | Price\nrye | 2', head: 0 },
        { kind: 'code', text: '# no heading\n  mill --run' },
      ],
      links: [{ href: 'https://example.com/docs/guide.md', nofollow: false }],
    });
  });

  it('reads a .txt file as plain paragraphs, with the first line as title', () => {
    expect(
      extractText('Mills of the valley\r\n\r\n# 1 - a *note*\r\n  more', 'https://example.com/a.TXT'),
    ).toMatchObject({
      title: 'Mills of the valley',
      blocks: [
        { kind: 'text', text: 'Mills of the valley' },
        { kind: 'text', text: '# 1 - a *note*\n  more' },
      ],
      links: [],
    });
  });

  const blocksOf = (text: string) => extractText(text, URL_OF_PAGE).blocks;
  const textOf = (text: string): string =>
    blocksOf(text)
      .map((block) => block.text)
      .join('\n\n');

  it.each([
    ['escapes', '1\\.25 of \\[these\\] \\(C\\+\\+\\) \\*not bold\\*', '1.25 of [these] (C++) *not bold*'],
    ['entities', 'AT&amp;T &mdash; 5&nbsp;GB &#39;soft&#x27; &lt;size&gt;', "AT&T — 5 GB 'soft' <size>"],
    ['what is no entity', 'R&D; a & b &unknown;', 'R&D; a & b &unknown;'],
    ['anchors', 'Prices<a name="prices"></a> of <a id=x/>rye', 'Prices of rye'],
    [
      'tags',
      'Press <kbd>Ctrl</kbd>, <b class="x">now</b><br/>or <Tab name="a">later</Tab>',
      'Press Ctrl, now\nor later',
    ],
    ['names in angle brackets', 'Use List<String> and <your-bucket>', 'Use List<String> and <your-bucket>'],
    ['addresses in angle brackets', 'See <https://mill.example/a_b_c>', 'See https://mill.example/a_b_c'],
    ['code', 'Run `a \\. &amp; <b>` and ``x * y``', 'Run a \\. &amp; <b> and x * y'],
    ['links of images', '[![a mill](m.png)](m.md) and [C\\[0\\]](a.md#x\\(y\\))', 'a mill and C[0]'],
    ['comments', 'Rye <!-- not wheat --> flour', 'Rye  flour'],
    ['a comment over lines', '<!-- not\n\n# this\n--> Rye', 'Rye'],
    ['a comment that never ends', '<!-- Rye', '<!-- Rye'],
    ['references', 'Rye\n\n[a]: https://mill.example', 'Rye'],
    ['rules', 'Rye\n\n* * *\n\nWheat', 'Rye\n\nWheat'],
    ['notes', '> [!WARNING]\n> Hot stones.', 'Warning\nHot stones.'],
    ['attributes of headings', 'Rye\n\n## Oil {#oil .x}', 'Rye\n\nOil'],
  ])('shows %s as a browser would', (_, text, shown) => {
    expect(textOf(text)).toBe(shown);
  });

  it('has no markup in title and summary', () => {
    const text =
      '# What Is Elastic Inference\\?<a name="what-is"></a>\n\nElastic Inference \\(EI\\) speeds up inference by a ' +
      'factor of 1\\.25&mdash;without a GPU\\. It costs less than that<a name="cost"></a>\\.';
    expect(extractText(text, URL_OF_PAGE)).toMatchObject({
      title: 'What Is Elastic Inference?',
      description:
        'Elastic Inference (EI) speeds up inference by a factor of 1.25—without a GPU. It costs less than that.',
    });
  });

  it('reads tables without bars at the edges, escaped bars, and tables whose columns have no names', () => {
    expect(blocksOf('Grain | Price\n--- | ---\nrye\\|oat | `2`\nwheat | 3\n\nEnd')).toMatchObject([
      { kind: 'table', text: 'Grain | Price\nrye|oat | 2\nwheat | 3', head: 0 },
      { kind: 'text' },
    ]);
    expect(blocksOf('|  |  |\n|---|---|\n| rye | 2 |\n')).toEqual([{ kind: 'table', text: 'rye | 2' }]);
    expect(blocksOf('| rye | 2 |\n| oat | 3 |\n')).toEqual([{ kind: 'table', text: 'rye | 2\noat | 3' }]);
  });

  it('reads a list with blank lines, nested items, paragraphs and code as one list around the code', () => {
    const text =
      '1. Open\n   the door.\n\n   Wait.\n\n2. Turn:\n   + left\n     - twice\n   + right\n\n   ```\n   turn --all\n     now\n' +
      '   ```\n\n3. Close.\n\nDone.';
    expect(blocksOf(text)).toEqual([
      { kind: 'list', text: 'Open the door.\n  Wait.\nTurn:\n  left\n    twice\n  right' },
      { kind: 'code', text: 'turn --all\n  now' },
      { kind: 'list', text: 'Close.' },
      { kind: 'text', text: 'Done.' },
    ]);
  });

  it('reads tables, lists and code in HTML, and leaves out scripts and styles', () => {
    const text =
      'Rye\n\n<table>\n<tr><th>Grain</th><th>Price</th></tr>\n\n<tr><td>rye</td><td>2</td></tr>\n</table>\n\n' +
      '<dl><dt>hopper<dd>holds &amp; grain</dl>\n<style>\n\np {}\n</style>\n<pre>mill --run</pre>\n<p align="center">Wheat</p>';
    expect(blocksOf(text)).toEqual([
      { kind: 'text', text: 'Rye' },
      { kind: 'table', text: 'Grain | Price\nrye | 2', head: 0 },
      { kind: 'list', text: 'hopper\n  holds & grain' },
      { kind: 'code', text: 'mill --run' },
      { kind: 'text', text: 'Wheat' },
    ]);
  });

  it('joins lines that were wrapped, and keeps those that were not', () => {
    const wrapped = 'The mill grinds rye and wheat for the bakers of\nArnholm, and sells what is left over.';
    expect(textOf(wrapped)).toBe(wrapped.replace('\n', ' '));
    expect(textOf('Jana Holm\nMill Lane 4\nArnholm')).toBe('Jana Holm\nMill Lane 4\nArnholm');
    expect(textOf('Arnholm  \nand Beltsund\\\nand Corvik')).toBe('Arnholm\nand Beltsund\nand Corvik');
  });

  it('reads indented code after a blank line', () => {
    expect(blocksOf('Run:\n\n    mill \\\n      --run\n\nEnd')).toEqual([
      { kind: 'text', text: 'Run:' },
      { kind: 'code', text: 'mill \\\n  --run' },
      { kind: 'text', text: 'End' },
    ]);
  });

  it('keeps asterisks and underscores that are not marks', () => {
    expect(extractText('2 * 3 and snake_case_name', URL_OF_PAGE).blocks).toEqual([
      { kind: 'text', text: '2 * 3 and snake_case_name' },
    ]);
  });

  it.each([
    ['`__init__.py` and ``a_`` of [`mill_`](m.md)', '__init__.py and a_ of mill_'],
    ['_`a*`_ and **`*b`**, ***c***, __d__ (*e*)', 'a* and *b, c, d (e)'],
    ['rye__wheat `and on', 'rye__wheat and on'],
  ])('reads %s as it is rendered', (text, shown) => {
    expect(extractText(text, URL_OF_PAGE).blocks).toEqual([{ kind: 'text', text: shown }]);
  });

  const times = (unit: string): string => unit.repeat(1_000_000 / unit.length);
  it.each([
    ...[
      '`',
      '`a',
      '*',
      '_',
      '[',
      '](',
      ' *',
      '_a',
      '>',
      '> ',
      '- ',
      '|',
      '#',
      '<a ',
      '<!--',
      '\t',
      '\\',
      '\\[',
      '&lt;',
      '<b>',
      '<http:',
    ].map((unit) => [`one line of ${JSON.stringify(unit)}`, `rye\n\n${times(unit)}a`]),
    ...[
      '> a\n',
      '- a\n',
      '- a\n\n',
      '1. a\n',
      '# a\n',
      'a\n=\n',
      '|a|b|\n',
      '```\n',
      '    a\n',
      '\n',
      '[a]: /b\n',
      '<!--\n',
      '<table>\n',
      '<td rowspan=9>\n',
      'a|b\n-|-\n',
      '  - a\n\n',
      '[!NOTE]\n',
    ].map((unit) => [`lines of ${JSON.stringify(unit)}`, `rye\n\n${times(unit)}`]),
    ['an item with a long paragraph', `rye\n\n- a\n${times('b\n')}`],
    ['nested quotes', `rye\n\n${Array.from({ length: 1400 }, (_, i) => `${'>'.repeat(i)} a\n`).join('')}`],
    ['nested lists', `rye\n\n${Array.from({ length: 1000 }, (_, i) => `${'  '.repeat(i)}- a\n`).join('')}`],
    ['a wide table', `rye\n\n|${times('a|')}\n|${times('-|')}\n`],
    ['sentences without spaces', `rye\n\n${'a.'.repeat(500_000)}@`],
  ])(
    'reads a megabyte of %s in linear time',
    (_, text) => {
      expect(extractText(text, URL_OF_PAGE).title).toMatch(/^rye|^a$/);
    },
    5_000,
  );

  it('reads any input without an error and keeps the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('# ', '```\n', '- ', '|', '[', '](', ')', '**', 'rye', ' ', '\n', '> ', '---\n')),
        (parts) => {
          const { title, blocks } = extractText(`x ${parts.join('')}`, 'not a url');
          expect(`${title} ${blocks.map(({ text }) => text).join(' ')}`).toContain('x');
        },
      ),
    );
  });
});
