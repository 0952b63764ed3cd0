import { defined } from '../../text/defined.ts';
import { escapedInline } from '../../text/markdown/escape-markdown.ts';
import { type MarkdownLink, markdownLinks } from '../../text/markdown/markdown-links.ts';
import { blocksMarkdown, CUT_NOTE } from '../../text/markdown/page-markdown.ts';
import { shownBlocks } from '../../text/page-content.ts';
import { visibleText } from '../../text/visible-text.ts';
import { normaliseUrl, urlHash } from '../../text/web/url.ts';
import { jobsOf } from '../crawl/jobs/job.ts';
import { type JobUrl, jobUrlKey } from '../crawl/jobs/url-rows.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { PageStoreReader, StoredPage } from '../ports/page-store.ts';
import type { TableReader } from '../ports/table.ts';
import { shownUrl, storedPrefixes } from '../search/results/shown-url.ts';
import { effectiveBaseUrl, type SiteRecord } from '../sites/site.ts';
import { type AliasItem, aliasKey } from './aliases.ts';
import { type PageIdentity, type RegisteredPage, readRows } from './page-registry.ts';
import { readStoredPages } from './stored-page.ts';

export type PageMarkdown = {
  /** The address as search results show it. It is never what a page says of itself. */
  readonly url: string;
  readonly title: string;
  /** The whole page, at most 1 MB. It begins with the title and the address, unless the page is Markdown itself. */
  readonly markdown: string;
  readonly headings: readonly PageHeading[];
  readonly links: readonly MarkdownLink[];
  readonly language?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly publishedAt?: string;
  readonly crawledAt: string;
  /** The page is longer than what is stored. */
  readonly truncated?: true;
};

export type PageHeading = { readonly level: number; readonly text: string; readonly anchor?: string };

type Deps = { readonly table: TableReader; readonly pageStore: PageStoreReader };

const MAX_HEADINGS = 1_000;
/** The newest crawls whose redirects and canonicals are followed, and how far. */
const [CRAWLS, MAX_STEPS] = [2, 4] as const;

/**
 * Returns an indexed page of a site; undefined if it has none at this address. The address may be one that search
 * results show, or a path of the site.
 */
export async function pageMarkdown(
  site: SiteRecord,
  written: string,
  { table, pageStore }: Deps,
): Promise<PageMarkdown | undefined> {
  const scope = { siteId: site.settings.siteId, generation: site.state.generation };
  const absolute = normaliseUrl(written, effectiveBaseUrl(site) ?? site.settings.baseUrl);
  if (absolute === undefined) return undefined;
  const row = await rowAt(storedPrefixes(absolute, site), scope, table);
  const stored = row && (await readStoredPages(scope, [row], pageStore)).get(row.urlHash);
  return stored && markdownOf(row, stored, shownUrl(row.givenUrl ?? row.url, site));
}

/** Returns the row of a page, also of one to which an alias, a redirect or a canonical leads. */
async function rowAt(
  urls: readonly string[],
  site: SiteScope,
  table: TableReader,
): Promise<RegisteredPage | undefined> {
  const pages = urls.map((url) => ({ url, urlHash: urlHash(url) }));
  const found = (await indexedRow(pages, site, table)) ?? (await ownerOf(pages, site, table));
  if (found) return found;
  const { items: jobs } = await jobsOf(site.siteId, { limit: CRAWLS }, table);
  for (const { jobId } of jobs) {
    for (const page of pages) {
      const target = await targetOf(page, jobId, site, table);
      if (target) return target;
    }
  }
  return undefined;
}

async function indexedRow(
  pages: readonly PageIdentity[],
  site: SiteScope,
  table: TableReader,
): Promise<RegisteredPage | undefined> {
  const rows = await readRows(site, pages, table);
  return [...rows.values()].find(({ removing }) => !removing);
}

async function ownerOf(
  pages: readonly PageIdentity[],
  site: SiteScope,
  table: TableReader,
): Promise<RegisteredPage | undefined> {
  const items = await table.getMany<AliasItem>(pages.map((page) => aliasKey(site, page.urlHash)));
  return indexedRow(
    items.flatMap((item) => item?.owner ?? []),
    site,
    table,
  );
}

/** Follows what a crawl found at an address, as far as an indexed page. */
async function targetOf(
  page: PageIdentity,
  jobId: string,
  site: SiteScope,
  table: TableReader,
): Promise<RegisteredPage | undefined> {
  let hash = page.urlHash;
  for (let step = 0; step < MAX_STEPS; step++) {
    const target = (await table.get<JobUrl>(jobUrlKey(jobId, hash)))?.target;
    if (target === undefined) return undefined;
    hash = urlHash(target);
    const pages = [{ url: target, urlHash: hash }];
    const found = (await indexedRow(pages, site, table)) ?? (await ownerOf(pages, site, table));
    if (found) return found;
  }
  return undefined;
}

function markdownOf(row: RegisteredPage, stored: StoredPage, url: string): PageMarkdown {
  const title = visibleText(stored.title).trim();
  const content = stored.markdown ?? blocksMarkdown(stored.blocks);
  const markdown = stored.isMarkdown && hasTitle(content) ? content : headed(title, url, content);
  return {
    url,
    title,
    markdown,
    headings: headingsOf(stored),
    links: markdownLinks(content, stored.url),
    ...defined({ language: stored.language, summary: stored.description, publishedAt: stored.publishedAt }),
    tags: stored.tags,
    crawledAt: row.crawledAt,
    ...((stored.isCut || content.endsWith(CUT_NOTE)) && { truncated: true as const }),
  };
}

const headed = (title: string, url: string, content: string): string =>
  [`# ${escapedInline(title)}`, `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`, content].join('\n\n').trim();

/** Returns whether Markdown begins with a heading of the first level. */
const hasTitle = (markdown: string): boolean => /^(?:# |[^\n]{1,1000}\n=+[ \t]{0,9}(?:\n|$))/.test(markdown);

const headingsOf = ({ blocks }: StoredPage): readonly PageHeading[] =>
  shownBlocks(blocks)
    .flatMap((block) =>
      block.kind === 'heading'
        ? [{ level: block.level, text: visibleText(block.text), ...defined({ anchor: block.anchor }) }]
        : [],
    )
    .slice(0, MAX_HEADINGS);
