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
        { kind: 'text', text: 'Some bold words in a guide,\non two lines.' },
        { kind: 'heading', level: 2, text: 'Running' },
        { kind: 'list', text: 'rye\nwheat\nof spring' },
        { kind: 'table', text: 'Grain | Price\nrye | 2' },
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
    ...['`', '`a', '*', '_', '[', '](', ' *', '_a', '>', '> ', '- ', '|', '#', '<a ', '<!--', '\t'].map((unit) => [
      `one line of ${JSON.stringify(unit)}`,
      `rye\n\n${times(unit)}a`,
    ]),
    ...['> a\n', '- a\n', '- a\n\n', '1. a\n', '# a\n', 'a\n=\n', '|a|b|\n', '```\n', '    a\n', '\n', '[a]: /b\n'].map(
      (unit) => [`lines of ${JSON.stringify(unit)}`, `rye\n\n${times(unit)}`],
    ),
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
