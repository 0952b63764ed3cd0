import { contentBlocks } from './content-blocks.ts';
import { parseHtml } from './html-tree.ts';
import { selectContent } from './main-content.ts';
import type { PageContent } from './page-content.ts';
import { metaRefresh, robotsDirectives } from './page-directives.ts';
import { type PageHead, readHead } from './page-head.ts';
import { pageLinks, webUrl } from './page-links.ts';
import { pageTags } from './page-tags.ts';
import { pageTitle } from './page-title.ts';
import { publishedAt } from './published-at.ts';
import { titleFromBlocks, withoutTitle } from './title-from-blocks.ts';

const LANGUAGE = /^([a-z]{2,3})(?=[-_]|$)/i;

/** Reads a page, whatever it holds; `pageUrl` is where it came from, after redirects, `xml` that it came as application/xhtml+xml. */
export function extractHtml(
  html: string,
  pageUrl: string,
  { xml = false }: { readonly xml?: boolean } = {},
): PageContent {
  const tree = parseHtml(html, xml);
  const head = readHead(tree);
  const base = webUrl(head.baseHref, pageUrl) ?? pageUrl;
  const { root, dropped } = selectContent(tree);
  const found = contentBlocks(tree, root, dropped);
  const title = pageTitle(tree, dropped, head, pageUrl) || titleFromBlocks(found);
  const description = head.meta.get('description')?.[0] ?? head.meta.get('og:description')?.[0];
  const language = pageLanguage(head);
  const published = publishedAt(tree, head, pageUrl);
  const canonical = webUrl(head.canonicalHref, base);
  const refresh = metaRefresh(head, base);
  return {
    title,
    ...(description && { description }),
    ...(language && { language }),
    ...(published && { publishedAt: published }),
    tags: pageTags(head),
    blocks: withoutTitle(found, title),
    links: pageLinks(tree, base),
    ...(canonical && { canonical }),
    ...robotsDirectives(head),
    ...(refresh && { refresh }),
  };
}

function pageLanguage({ htmlLanguage, meta }: PageHead): string | undefined {
  const tags = [htmlLanguage, meta.get('content-language')?.[0] ?? '', meta.get('og:locale')?.[0] ?? ''];
  for (const tag of tags) {
    const primary = LANGUAGE.exec(tag.trim())?.[1];
    if (primary !== undefined) return primary.toLowerCase();
  }
  return undefined;
}
