import { describe, expect, it } from '@jest/globals';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';

const URL = 'https://blog.example/tags/rivers/';

/** The share of each block's text that counts as link text. */
function linkedShares(main: string, url = URL, head = ''): readonly number[] {
  const { blocks } = extractHtml(`<head><title>Rivers</title>${head}</head><main>${main}</main>`, url);
  return blocks.flatMap((block) => (block.kind === 'heading' ? [] : (block.linked ?? 0) / block.text.length));
}

const post = (heading: string, text = 'A weir holds water back.', level = 2): string =>
  `<h${level}>${heading}</h${level}><p>${text}</p>`;

const LOCKS = post('<a href="/posts/locks/">Locks</a>');
const weirs = (href: string): string => post(`<a href="${href}">Weirs</a>`);

describe('text below headings that link to other pages', () => {
  it('counts as link text, up to the next heading of the same level', () => {
    expect(
      linkedShares(
        `<h1>Rivers</h1><p>All about rivers.</p>${weirs('/posts/weirs/')}
         ${post('A part of the post', 'Some have gates.', 3)}${LOCKS}
         ${post('About this blog', 'It is written by a miller.')}`,
      ),
    ).toEqual([0, 1, 1, 1, 0]);
  });

  it('counts as link text where the link is around the heading, or a date beside it', () => {
    expect(linkedShares(`${LOCKS}<a href="/posts/weirs/"><h2>Weirs</h2></a><p>A weir.</p>`)).toEqual([1, 1]);
    const dated = post('<a href="/posts/weirs/">Weirs and sluices of the upper Exe</a>, May 4');
    expect(linkedShares(LOCKS + dated)).toEqual([1, 1]);
  });

  it.each([
    ['the page itself', '/tags/rivers/index.html'],
    ['a page above it', '/tags/'],
    ['the home page', '/'],
    ['another site', 'https://other.example/weirs'],
    ['a place in a page', '/posts/weirs/#gates'],
    ['mail', 'mailto:miller@blog.example'],
  ])('is text of the page if the link leads to %s', (_, href) => {
    const sluices = post('<a href="/posts/sluices/">Sluices</a>');
    expect(linkedShares(LOCKS + weirs(href) + sluices)).toEqual([1, 0, 1]);
  });

  it('is text of the page if the link leads to its canonical address', () => {
    const canonical = '<link rel="canonical" href="https://blog.example/posts/weirs">';
    const html = `${LOCKS}${weirs('/posts/weirs/')}${post('<a href="/posts/sluices/">Sluices</a>')}`;
    expect(linkedShares(html, 'https://blog.example/?p=12', canonical)).toEqual([1, 0, 1]);
    expect(linkedShares(html, 'https://blog.example/?p=12')).toEqual([1, 1, 1]);
  });

  it('is text of the page if only one of the headings side by side links, as one with the name of the author', () => {
    expect(linkedShares(weirs('/authors/miller/'))).toEqual([0]);
    expect(linkedShares(`${weirs('/authors/miller/')}${post('Gates', 'x', 1)}${LOCKS}`)).toEqual([0, 0, 0]);
    expect(linkedShares(`<h2><a href="/topics/rivers/">Rivers</a></h2>${weirs('/authors/miller/')}`)).toEqual([0]);
  });

  it('is text of the page if most headings side by side do not link', () => {
    const plain = post('Gates') + post('Fish');
    expect(linkedShares(`${plain}${post('Boats')}${LOCKS}${weirs('/weirs')}`)).toEqual([0, 0, 0, 0, 0]);
    expect(linkedShares(`${plain}${LOCKS}${weirs('/weirs')}`)).toEqual([0, 0, 1, 1]);
  });

  it('leaves no link on the heading', () => {
    const { blocks } = extractHtml(`<title>Rivers</title><main>${LOCKS}</main>`, URL);
    expect(blocks[0]).toEqual({ kind: 'heading', level: 2, text: 'Locks' });
  });
});
