import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import { textOf } from '../../../lambdas/text/html/tree.ts';
import { ATTRIBUTES, differingSelectors, select } from './compare-selectors.ts';
import { cssAdapter } from './css-adapter.ts';
import { MATERIAL, materialNames, projectPages } from './pages.ts';

/** Departures of our tree (see tree-builder.ts): a `noscript` of the head, and links in blocks of an unclosed `a`. */
const KNOWN: readonly (readonly [page: string, ...selectors: string[]])[] = [
  ['0080', 'p:empty'],
  ['0169', 'a[href^="/"]', 'a[href*="?"]'],
  ['0193', 'p:empty'],
  ['0561', 'a[rel~=nofollow]'],
  ['2866', 'div > p', 'h2 + p', 'p:nth-of-type(3)', 'p:last-of-type'],
  ['3043', 'a[href*="?"]'],
  ['3068', 'a[href*="?"]'],
  ['4191', 'a[href^="/"]'],
  ['4760', '[title]'],
];

describe('cssAdapter', () => {
  it('matches type, class, id, attribute, child, sibling, :has, :not, :nth-child and :contains selectors', () => {
    const tree = parseHtml('<div id=a class="x y"><p>one<p class=y>two<b>three</b></div><p data-id=7>four</p>', {
      attributes: ATTRIBUTES,
    });
    const texts = (selector: string) => select(tree, selector).map((node) => textOf(tree, tree.indexOf(node), 99));
    expect(texts('p')).toEqual(['one', 'twothree', 'four']);
    expect(texts('#a.x > .y b')).toEqual(['three']);
    expect(texts('p:has(b), [data-id="7"]')).toEqual(['twothree', 'four']);
    expect(texts('p:nth-child(2):not(.z)')).toEqual(['twothree', 'four']);
    expect(texts('div + p, p + p')).toEqual(['twothree', 'four']);
    expect(texts('p:contains("thr")')).toEqual(['twothree']);
    expect(texts('[constructor], [alt]')).toEqual([]);
  });

  it("selects the same elements as on parse5's tree: the project's own pages", async () => {
    for (const { html } of await projectPages()) expect(differingSelectors(html)).toEqual([]);
  });

  it('removes duplicates and descendants from a list of elements', () => {
    const tree = parseHtml('<ul><li><a>x</a></ul><p>y</p>');
    const [list, link, paragraph] = ['ul', 'a', 'p'].flatMap((name) => select(tree, name));
    const nodes = [paragraph, link, list, paragraph].filter((node) => node !== undefined);
    expect(cssAdapter(tree).removeSubsets(nodes)).toEqual([list, paragraph]);
  });

  const names = materialNames();
  const onMaterial = names === undefined ? it.skip : it;
  const reason = names === undefined ? ` (skipped: no folder ${MATERIAL}; set MATERIAL_DIR)` : '';
  onMaterial(
    `selects the same elements as on parse5's tree: the pages of other sites${reason}`,
    () => {
      const { stdout } = spawnSync(process.execPath, ['test/text/html/compare-selectors.ts'], {
        encoding: 'utf8',
      });
      const compared: readonly (readonly string[])[] = stdout
        .split('\n')
        .flatMap((line) => (line ? [JSON.parse(line)] : []));
      expect(compared.map(([name]) => name)).toEqual(names);
      const differing = compared.filter(([, ...selectors]) => selectors.length > 0);
      expect(differing).toEqual(KNOWN.map(([page, ...selectors]) => [`extraction/html/${page}.html.gz`, ...selectors]));
    },
    120_000,
  );
});
