import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseHtml } from '../../../../lambdas/core/content/html/parse-html.ts';
import { selectorAttributes, selectorFault, selectText } from '../../../../lambdas/core/content/html/selector.ts';
import { textOf } from '../../../../lambdas/core/content/html/tree.ts';
import { select } from './compare-selectors.ts';
import { MATERIAL, materialNames, materialPage } from './pages.ts';

const PAGE = `<main id=top class="doc  wide"><p class=version data-version="15.1" lang=en-GB>Version 15
  <b>beta</b></p><p title='a "quoted", one'>two</p><ul><li>first<li class="a:b">second<li>third</ul></main>`;

const selected = (html: string, selector: string): string | undefined =>
  selectText(parseHtml(html, { attributes: new Set(selectorAttributes(selector)) }), selector, 500);

describe('the text that a selector finds', () => {
  it.each([
    ['.version', 'Version 15\n  beta'],
    ['P', 'Version 15\n  beta'],
    ['#top > .version b', 'beta'],
    ['#top b', 'beta'],
    ['main.doc.wide > p + p', 'two'],
    ['p ~ ul li', 'first'],
    ['li + li', 'second'],
    ['li ~ li + li', 'third'],
    ['* > * > b', 'beta'],
    ['[data-version]', 'Version 15\n  beta'],
    ['p[data-version="15.1"] b', 'beta'],
    ['[title=\'a "quoted", one\']', 'two'],
    ['[lang|=en] b', 'beta'],
    ['[class~=wide] > ul > li', 'first'],
    ['[data-version^="15"] b, li', 'beta'],
    ['.absent, li', 'first'],
    ['.a\\:b', 'second'],
    ['.absent', undefined],
    ['b > p', undefined],
    ['[constructor]', undefined],
  ])('%s is %j', (selector, text) => {
    expect(selected(PAGE, selector)).toBe(text);
  });

  it.each([
    '',
    ',',
    'p,',
    '>p',
    'p >',
    'p > > b',
    'p:first-child',
    'p::before',
    ':has(b)',
    '.',
    '#',
    '[a',
    '[a=]',
    'a||b',
  ])('is refused for %j, with the form', (selector) => {
    expect(selectorFault(selector)).toContain('.version or #nav');
  });

  it('is refused for more than 8 steps or 4 alternatives', () => {
    const steps = (count: number) => Array(count).fill('a').join(' ');
    expect([steps(8), 'a,b,c,d'].map(selectorFault)).toEqual([undefined, undefined]);
    expect([steps(9), 'a,b,c,d,e'].map(selectorFault)).not.toContain(undefined);
  });

  const step = fc.constantFrom('a', 'b', 'i', '*', '.x', '.y', '#n', 'a.x', '[title]', '[title=t]', 'b.y[title]');
  const selectors = fc
    .array(fc.tuple(fc.constantFrom(' ', '>', '+', '~', ', '), step), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.map(([combinator, part], i) => (i === 0 ? part : combinator + part)).join(''))
    .filter((selector) => selectorFault(selector) === undefined);
  const element = fc.constantFrom(
    '<a>',
    '<a class=x>',
    '<b title=t>',
    '<b class="y x" title>',
    '<i id=n class=y>',
    '</a>',
    '</b>',
    '</i>',
  );

  it('is that of the first element which css-select finds', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 25 }), selectors, (tags, selector) => {
        const tree = parseHtml(tags.map((tag, i) => `${tag}${i}`).join(''), { attributes: new Set(['title']) });
        expect(selectText(tree, selector, 500)).toBe(expectedText(tree, selector));
      }),
      { numRuns: 2000 },
    );
  });

  const onMaterial = materialNames() === undefined ? it.skip : it;
  onMaterial(`is so on pages of other sites (${MATERIAL})`, () => {
    for (const name of (materialNames() ?? []).slice(0, 60)) {
      const tree = parseHtml(materialPage(name), { attributes: new Set(['title']) });
      for (const selector of [
        'ul.nav li',
        'div > p',
        'h2 + p',
        'h2 ~ ul',
        '[title]',
        'meta[property="og:title"]',
        'h1, h2',
      ])
        expect([name, selector, selectText(tree, selector, 500)]).toEqual([
          name,
          selector,
          expectedText(tree, selector),
        ]);
    }
  });

  it.each([
    ['50,000 siblings', '<i class=x>s</i>'.repeat(50_000), 'i ~ i ~ i ~ i ~ i ~ b'],
    ['50,000 siblings', '<i class=x>s</i>'.repeat(50_000), 'i + i + i + i + i + b'],
    ['deep elements', '<div>'.repeat(50_000), 'div div div div div div div b'],
  ])('is looked for in linear time among %s', (_, html, selector) => {
    const tree = parseHtml(html);
    const started = performance.now();
    expect(selectText(tree, selector, 500)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

function expectedText(tree: ReturnType<typeof parseHtml>, selector: string): string | undefined {
  const [first] = select(tree, selector);
  return first && textOf(tree, tree.indexOf(first), 500);
}
