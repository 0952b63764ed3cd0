import { describe, expect, it } from '@jest/globals';
import { extractPage } from '../../../lambdas/text/extraction/extract-page.ts';
import { demoPages } from '../../../local/server/demo-pages.ts';
import { guidePages, guideText } from '../../support/guide-documents.ts';
import { outline } from './outline.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const FILES = 'http://files.invalid/';
const pages = guidePages.filter((name) => name !== 'README.md');
const demo = demoPages();

const slugOf = (name: string): string => `guide/${name.replace(/\.md$/, '').toLowerCase()}`;

/** Where the demo leads for a link of the guide. Links to files that the demo does not serve are text there. */
async function targetsOf(text: string): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  for (const [, href = ''] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
    const url = new URL(href, `${FILES}docs/guide/x.md`);
    const path = url.pathname
      .replace('/docs/', '/')
      .replace(/\/README\.md$|\.md$/, '')
      .toLowerCase();
    const served = `/demo${path === '' ? '/readme' : path}`;
    if (url.origin !== new URL(FILES).origin) targets.set(href, url.href);
    else if (href.startsWith('#') || (await demo(served)) !== undefined) targets.set(href, ORIGIN + served + url.hash);
  }
  return targets;
}

async function crawled(
  name: string,
): Promise<{ readonly url: string; readonly title: string; readonly markdown: string }> {
  const url = `${ORIGIN}/demo/${slugOf(name)}`;
  const body = Buffer.from((await demo(`/demo/${slugOf(name)}`))?.body ?? '');
  const { title, markdown = '' } = extractPage({ url, contentType: 'text/html; charset=utf-8', body }) ?? { title: '' };
  return { url, title, markdown };
}

describe('a page of the guide, rendered, crawled and written as Markdown', () => {
  it.each(pages)('%s has the headings, items, cells, code and links of its source', async (name) => {
    const source = guideText(name);
    const targets = await targetsOf(source);
    const { title, url, markdown } = await crawled(name);
    const own = (href: string) => targets.get(href)?.replace(/^[^#]*\/x(?=#)/, url);
    const expected = outline(source, own);
    expect(outline(`# ${title}\n\n${markdown}`)).toEqual(expected);
    expect(expected.headings.length).toBeGreaterThan(1);
  });
});
