import type { FieldSource } from '../fields/field-source.ts';
import { sourceValues } from '../fields/source-values.ts';
import { parseHtml } from '../html/parse-html.ts';
import { selectorAttributes } from '../html/selector.ts';
import { htmlMarkdown } from '../markdown/page-markdown.ts';
import { metaRefresh, robotsDirectives } from '../metadata/page-directives.ts';
import { readHead } from '../metadata/page-head.ts';
import { pageLanguage } from '../metadata/page-language.ts';
import { pageLinks, webUrl } from '../metadata/page-links.ts';
import { pageSummary } from '../metadata/page-summary.ts';
import { pageTags } from '../metadata/page-tags.ts';
import { pageTitle } from '../metadata/page-title.ts';
import { publishedAt } from '../metadata/published-at.ts';
import {
  titleFromAddress,
  titleFromHeading,
  titleFromText,
  withHeading,
  withoutTitle,
} from '../metadata/title-from-blocks.ts';
import { type PageContent, shownBlocks } from '../page-content.ts';
import { contentBlocks } from './content-blocks.ts';
import { type ContentSelection, ignoredNodes, selectionAttributes } from './content-selection.ts';
import { withListedText } from './listed-text.ts';
import { selectContent } from './main-content.ts';
import { withoutText } from './node-mask.ts';
import { withoutRepeats } from './repeated-blocks.ts';
import { claimsArticle } from './teaser-lists.ts';
import { topHeadings } from './top-headings.ts';

type HtmlOptions = {
  /** The page came as application/xhtml+xml. */
  readonly xml?: boolean;
  /** The title given by the site's owner, which replaces the page's title. */
  readonly title?: string;
  /** The page has no boilerplate: its whole text is content. */
  readonly clean?: boolean;
  /** Where the site's metadata fields come from. */
  readonly sources?: readonly FieldSource[];
  /** The site owner's settings for the content of pages. */
  readonly selection?: ContentSelection;
};

/** Reads any page, without throwing. `pageUrl` is its address after redirects. */
export function extractHtml(
  html: string,
  pageUrl: string,
  { xml = false, title: given = '', clean = false, sources = [], selection = {} }: HtmlOptions = {},
): PageContent {
  const attributes = sources.flatMap(({ selector }) => (selector === undefined ? [] : selectorAttributes(selector)));
  const kept = new Set([...attributes, ...selectionAttributes(selection)]);
  const tree = parseHtml(html, { isXml: xml, attributes: kept });
  const head = readHead(tree);
  const base = webUrl(head.baseHref, pageUrl) ?? pageUrl;
  const canonical = webUrl(head.canonicalHref, base);
  const address = webUrl(pageUrl, pageUrl) ?? canonical ?? webUrl(head.meta.get('og:url')?.[0], base) ?? '';
  const ignored = ignoredNodes(tree, selection);
  const { roots, dropped } = clean
    ? { roots: [0], dropped: withoutText(tree, ignored) }
    : selectContent(tree, ignored, { selector: selection.contentSelector, isArticle: claimsArticle(head, tree) });
  const content = roots.flatMap((root) => contentBlocks(tree, root, dropped));
  const found = clean ? content : withoutRepeats(content);
  const own = pageTitle(topHeadings(tree, dropped, ignored), head, address);
  const name = given || own || titleFromHeading(found);
  const title = name || (found.length > 0 ? titleFromAddress(address) || titleFromText(shownBlocks(found)) : '');
  const blocks = withListedText(withoutTitle(given ? withHeading(found, own) : found, title), title, [
    base,
    address,
    canonical,
  ]);
  const shown = shownBlocks(blocks);
  const meta = head.meta.get('description')?.[0] || head.meta.get('og:description')?.[0] || '';
  const description = pageSummary(meta, title, shown);
  const language = pageLanguage(head, blocks);
  const published = publishedAt(tree, dropped, head, address);
  const refresh = metaRefresh(head, base);
  return {
    title,
    ...(description && { description }),
    ...(language && { language }),
    ...(published && { publishedAt: published }),
    tags: pageTags(head, { title: name, blocks: shown, language }),
    blocks,
    links: pageLinks(tree, base),
    ...(canonical && { canonical }),
    ...robotsDirectives(head),
    ...(refresh && { refresh }),
    sourceValues: sourceValues(tree, head, sources),
    markdown: htmlMarkdown(tree, { roots, dropped }, { base, title, isClean: clean }),
  };
}
