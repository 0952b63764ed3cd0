import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';
import { selectElements, selectorAttributes, selectText } from '../../../lambdas/text/html/selector.ts';
import { selectorFault } from '../../../lambdas/text/html/selector-syntax.ts';
import { textOf } from '../../../lambdas/text/html/tree.ts';
import { processorTime } from '../../support/processor-time.ts';
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
    ['li:last-child', 'third'],
    ['li:nth-child(2n)', 'second'],
    ['li:not(:first-child):not(.a\\:b)', 'third'],
    ['main > :not(p, .x)', 'firstsecondthird'],
    ['p:nth-of-type(2), [DATA-VERSION]:nth-of-type(5)', 'two'],
    [':is(ul, ol) > li:nth-last-child( odd )', 'first'],
    ['[lang="EN-gb" i] b', 'beta'],
    [':root > p:only-of-type', undefined],
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
    'p:first-child(2)',
    'p::before',
    'p:hover',
    'p:nth-child(x)',
    'p:not()',
    'p:not(a b)',
    'p:not(b',
    'p.a b:has(b)',
    '.',
    '#',
    '[a',
    'a||b',
    'a < b',
    'svg|a',
    '[a!=b]',
    '.>a',
    'p.a{b}',
    '[x]b',
    ':is(',
    `${':not('.repeat(40)}a`,
    `${':not('.repeat(5)}a${')'.repeat(5)}`,
  ])('is refused for %j, with the form', (selector) => {
    expect(selectorFault(selector)).toContain('.version or #nav');
  });

  it.each([
    ['main:has(p)', ':has() at character 5 is not supported'],
    ['.a > {', 'not understood: "{" at character 6'],
    ['.a >', 'not understood: it ends too early'],
    ['p::before', '::before at character 2 is not supported'],
  ])('says of %s what is wrong: %s', (selector, fault) => {
    expect(selectorFault(selector)).toContain(fault);
  });

  it('is refused for more than 8 steps or 16 alternatives', () => {
    const steps = (count: number, between = ' ') => Array(count).fill('a').join(between);
    expect([steps(8), steps(16, ',')].map(selectorFault)).toEqual([undefined, undefined]);
    expect([steps(9), steps(17, ','), `:is(${steps(17, ',')})`].map(selectorFault)).not.toContain(undefined);
  });

  const step = fc.constantFrom(
    ...['a', 'b', 'i', '*', '.x', '.y', '#n', 'a.x', '[title]', '[title=t]', 'b.y[title]', ':not(.x)', 'a:not(b, .y)'],
    ...[':first-child', 'b:last-of-type', ':nth-child(2n+1)', ':nth-last-child(-n + 2)', 'i:nth-of-type(even)'],
    ...[':is(a, .y):not(:only-child)', ':nth-child(3)', 'a:empty', ':where(i, :first-of-type)'],
  );
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

  it('are all elements that css-select finds', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 25 }), selectors, (tags, selector) => {
        const tree = parseHtml(tags.join(''), { attributes: new Set(['title']) });
        const found = [...selectElements(tree, [selector]).entries()].flatMap(([index, is]) => (is === 1 ? index : []));
        expect(found).toEqual(select(tree, selector).map((node) => tree.indexOf(node)));
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
        'li:nth-child(2n+1):not(:last-child)',
        'p:first-of-type',
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
    const taken = processorTime();
    expect(selectText(tree, selector, 500)).toBeUndefined();
    expect(taken()).toBeLessThan(1000);
  });
});

function expectedText(tree: ReturnType<typeof parseHtml>, selector: string): string | undefined {
  const [first] = select(tree, selector);
  return first && textOf(tree, tree.indexOf(first), 500);
}
