import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differences } from './compare-pages.ts';
import { ourOutline, ourShape, standardOutline, standardShape } from './page-outline.ts';
import { MATERIAL, materialNames, projectPages } from './pages.ts';

/**
 * Pages with a block inside an unclosed or misnested `a`: the standard opens the link again in each block ("adoption
 * agency algorithm" and "reconstruct the active formatting elements"), so it has links with the same address one after
 * another.
 */
const REPEATED_LINKS = ['0169', '0561', '0659', '2947', '3043', '3068', '4191', '4380', '4760'].map(
  (name) => `extraction/html/${name}.html.gz`,
);

/** Writes the roots, because our tree does not imply them. */
const START = '<!doctype html><html><head></head><body>';

/** Ends an unfinished tag, comment or raw text. */
const END = `"'>--></script></style></title></textarea></iframe>`;

describe('parseHtml, compared with parse5', () => {
  it("reads the same text, headings and links: the project's own pages", async () => {
    const pages = await projectPages();
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter(({ html }) => differences(html).length > 0).map(({ name }) => name)).toEqual([]);
  });

  const names = materialNames();
  const onMaterial = names === undefined ? it.skip : it;
  const reason = names === undefined ? ` (skipped: no folder ${MATERIAL}; set MATERIAL_DIR)` : '';
  onMaterial(
    `reads the same text, headings and links: the pages of other sites${reason}`,
    () => {
      const { stdout } = spawnSync(process.execPath, ['test/text/html/compare-pages.ts'], { encoding: 'utf8' });
      const compared: readonly (readonly string[])[] = stdout
        .split('\n')
        .flatMap((line) => (line ? [JSON.parse(line)] : []));
      expect(compared.map(([name]) => name)).toEqual(names);
      const differing = compared.filter(([, ...found]) => found.length > 0);
      expect(differing).toEqual(REPEATED_LINKS.map((name) => [name, 'repeated links']));
    },
    120_000,
  );

  const blocks =
    '<p> </p> <div> </div> <section> </section> <blockquote> </blockquote> <hr> <br> </br> <img> <span> </span>';
  const lists = '<ul> </ul> <ol> </ol> <li> </li> <dl> </dl> <dt> </dt> <dd> </dd>';
  const headings = '<h1> </h1> <h2> </h2> </h3>';
  const controls = '<button> </button> <pre> </pre> <address> </address>';
  it.each([
    ['blocks', `${blocks} ${headings} <x-y> </x-y>`],
    ['lists', `${lists} <p> </p> <div> </div> <section> </section>`],
    [
      'blocks, lists and controls',
      `${blocks} ${lists} ${headings} ${controls} <a\thref="?a=1&copy=2&lt">a</a> <b>a</b>`,
    ],
    [
      'raw text',
      '<script> </script> <style> </style> <textarea> </textarea> <title> </title> <p> </p> <iframe> </iframe>',
    ],
    ['comments', '<!-- --> --!> <!--> <!---> <!x <? > </ </> <p> </p> - !'],
    [
      'drawings',
      '<svg> </svg> <g> </g> <path/> <svg><foreignObject><p>b</p></foreignObject></svg> ' +
        '<p> </p> <div> </div> <style> </style>',
    ],
    ['formulas', '<math> </math> <mi>x</mi> <none/> <p> </p> <div> </div> <style> </style>'],
    ['tags', '<p <P\tid=a <p/ > /> = " \' <SPAN\thref= <i-j\nhref="&amp; &quot; </P\t>'],
    ['roots', '<html\tlang=a> </html> <body\tclass=b> </body> <p> </p> <div> </div>'],
  ])('builds the same tree for any sequence of %s', (_, parts) => {
    const part = fc.constantFrom(...parts.split(' '), 'a', ' b', '&amp;c');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (sequence) => {
        const html = `${START}a${sequence.join('')}${END}`;
        expect(ourShape(html)).toBe(standardShape(html));
      }),
      { numRuns: 500 },
    );
  });

  it('builds the same tables with any end tags left out', () => {
    const cell = fc.constantFrom('<td>a', '<th>b</th>', '<td>c</td>', '<td><p>d', '<td><ul><li>e', '<td></div>f');
    const row = fc.tuple(fc.constantFrom('<tr>', '</tr><tr>', '<tbody><tr>', ''), fc.array(cell, { minLength: 1 }));
    const rows = fc.array(row).map((all) => all.map(([start, cells]) => start + cells.join('')).join(''));
    const start = fc.constantFrom('<table>', '<table><caption>g', '<table><colgroup><col>', '<table><thead>');
    fc.assert(
      fc.property(fc.array(fc.tuple(start, rows, fc.constantFrom('</table>', '')), { maxLength: 4 }), (tables) => {
        const html = `${START}${tables.flat().join('')}`;
        expect(ourShape(html)).toBe(standardShape(html));
      }),
      { numRuns: 500 },
    );
  });

  it('decodes any character references alike, in texts and in attributes', () => {
    const names = ['copy', 'not', 'notin', 'amp', 'lt', 'AMP', 'NotEqualTilde', 'CounterClockwiseContourIntegra', 'x'];
    const numbers = ['#', '#x', '#X', '0', '65', '110000', '1114112', '99999999999', 'D800', '80', '9f', '1'];
    const part = fc.constantFrom('&', '&', ';', ';', '=', ' ', 'é', ...names, ...numbers);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const unquoted = text.replaceAll(' ', '');
        const html = `${START}${text}<i href="${text}">${text}</i><title>${text}</title><i href=a${unquoted}>`;
        expect(ourShape(html)).toBe(standardShape(html));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['&', '&#', '&#x', '&copy', '&#0;', '&#99999999;', '&CounterClockwiseContourIntegra', `&#${'9'.repeat(30)}`])(
    'decodes a page full of %s alike',
    (reference) => {
      const html = `${START}${reference.repeat(100_000 / reference.length)}`;
      expect(ourOutline(html).text === standardOutline(html).text).toBe(true);
    },
  );
});
