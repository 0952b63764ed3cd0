import { describe, expect, it } from '@jest/globals';
import { type ClassHint, ClassHints } from '../../../lambdas/text/extraction/class-hints.ts';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';

function hintOf(html: string): ClassHint | undefined {
  const node = parseHtml(html)[1];
  return node && new ClassHints().read(node);
}

describe('ClassHints', () => {
  it.each([
    ['siteFooter2', 'notice'],
    ['x_cookies', 'notice'],
    ['ad-top', 'notice'],
    ['Sr-Only', 'notice'],
    ['main-nav__item', 'links'],
    ['page-header nav', 'links'],
    ['site-header', 'links'],
    ['commentlist', 'comments'],
    ['reply', 'comments'],
    ['Product-Reviews', 'comments'],
    ['on-this-page', 'contents'],
  ])('recognises boilerplate by words in a class or id: %s', (names, hint) => {
    expect(hintOf(`<div class="${names}">`)).toBe(hint);
    expect(hintOf(`<div id="${names.split(' ').at(-1)}">`)).toBe(hint);
  });

  it.each(['has-sidebar', 'canvas', 'navy', 'ads2', 'md:nav', '_toc', 'tagger', '', `nav-${'x'.repeat(60)}`])(
    'ignores names that only contain the letters of such a word, or describe the context: %s',
    (names) => expect(hintOf(`<div class="${names}">`)).toBeUndefined(),
  );

  it('ignores the id of a heading or a section', () => {
    for (const html of ['<h2 id=footer>', '<section id=footer>', '<div class=subsection id=footer>'])
      expect(hintOf(html)).toBeUndefined();
    expect(hintOf('<div id=footer>')).toBe('notice');
  });
});
