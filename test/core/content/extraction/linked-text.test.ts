import { describe, expect, it } from '@jest/globals';
import { contentBlocks } from '../../../../lambdas/core/content/extraction/content-blocks.ts';
import { parseHtml } from '../../../../lambdas/core/content/html/tree.ts';

function linkedOf(html: string): readonly (number | undefined)[] {
  const tree = parseHtml(html);
  const blocks = contentBlocks(tree, 0, new Uint8Array(tree.length));
  return blocks.map((block) => (block.kind === 'heading' ? undefined : (block.linked ?? 0)));
}

describe('the linked characters of a block', () => {
  it('are those of its links, without white space around them', () => {
    expect(linkedOf('<p>See <a href="/weirs"> the <b>weirs</b> </a> and <a href="/locks">locks</a>.</p>')).toEqual([
      13,
    ]);
  });

  it('are none of a block without links, of an anchor, and of the heading before', () => {
    expect(linkedOf('<h2><a href="#x">Weirs</a></h2><p><a name="x">A weir</a> holds water back.</p>')).toEqual([
      undefined,
      0,
    ]);
  });

  it('are counted in lists, tables and code', () => {
    const link = '<a href="/locks">locks</a>';
    expect(linkedOf(`<ul><li>${link}</li><li>${link} and weirs</li></ul>`)).toEqual([10]);
    expect(linkedOf(`<table><tr><td>${link}</td><td>1820</td></tr></table>`)).toEqual([5]);
    expect(linkedOf(`<pre>open ${link}\nclose</pre>`)).toEqual([5]);
  });
});
