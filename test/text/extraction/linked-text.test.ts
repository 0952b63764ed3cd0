import { describe, expect, it } from '@jest/globals';
import { contentBlocks } from '../../../lambdas/text/extraction/content-blocks.ts';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';

function linkedOf(html: string): readonly (number | undefined)[] {
  const tree = parseHtml(html);
  const blocks = contentBlocks(tree, 0, new Uint8Array(tree.length));
  return blocks.map((block) => (block.kind === 'heading' ? undefined : (block.linked ?? 0)));
}

describe('the linked characters of a block', () => {
  it('count the trimmed text of its links', () => {
    expect(linkedOf('<p>See <a href="/weirs"> the <b>weirs</b> </a> and <a href="/locks">locks</a>.</p>')).toEqual([
      13,
    ]);
  });

  it('are 0 for a block without links, for an anchor, and for a link in the heading before', () => {
    expect(linkedOf('<h2><a href="#x">Weirs</a></h2><p><a name="x">A weir</a> holds water back.</p>')).toEqual([
      undefined,
      0,
    ]);
  });

  it('count in lists, tables and code', () => {
    const link = '<a href="/locks">locks</a>';
    expect(linkedOf(`<ul><li>${link}</li><li>${link} and weirs</li></ul>`)).toEqual([10]);
    expect(linkedOf(`<table><tr><td>${link}</td><td>1820</td></tr></table>`)).toEqual([5]);
    expect(linkedOf(`<pre>open ${link}\nclose</pre>`)).toEqual([5]);
  });
});
