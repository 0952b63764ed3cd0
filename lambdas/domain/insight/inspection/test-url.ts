import { chunkPage } from '../../../text/chunking/chunks.ts';
import { defined } from '../../../text/defined.ts';
import { sourcedFields } from '../../../text/fields/field-source.ts';
import { type PageContent, plainText } from '../../../text/page-content.ts';
import { urlHash } from '../../../text/web/url.ts';
import { cut } from '../../../text/words/folding.ts';
import type { Clock } from '../../clock.ts';
import { robotsNow } from '../../crawl/fetch/job-robots.ts';
import { visitPage } from '../../crawl/fetch/visit.ts';
import { MAX_REDIRECTS, type Visit, type VisitRules } from '../../crawl/fetch/visit-result.ts';
import { urlFilter } from '../../crawl/frontier/url-filter.ts';
import type { Reason } from '../../crawl/jobs/outcomes.ts';
import { baseOf } from '../../crawl/jobs/start-crawl.ts';
import type { PageFetcher } from '../../ports/page-fetcher.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { TableReader } from '../../ports/table.ts';
import { crawlerConfigOf, ownSite, type SiteRecord, type SiteSettings } from '../../sites/site.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';
import { robotsDecision } from './robots-decision.ts';
import { scopedUrl } from './scope-decision.ts';
import { notAUrl } from './trace-url.ts';
import { reasonSentence } from './verdict.ts';

type Read = { readonly content: PageContent; readonly contentType: string | undefined };

export type TestDeps = {
  readonly table: TableReader;
  readonly pageReader: PageReader;
  readonly clock: Clock;
  /** Aborts all fetches of the test. */
  readonly deadline: AbortSignal;
  readonly openFetcher: (site: Pick<SiteSettings, 'privateHost' | 'baseUrl'>) => PageFetcher;
};

const MAX_TEXT = 2000;
const MAX_LINKS = 100;

type Patterns = { readonly [List in 'includePatterns' | 'excludePatterns']?: CrawlerConfig[List] | undefined };
type TestRequest = { readonly siteId: string; readonly url: string; readonly fetch: boolean } & Patterns;

/**
 * Fetches and reads one URL of a site as a crawl would, following redirects on the site, as if the patterns were saved.
 * Without `fetch` it only says what the settings say about the URL. Stores nothing.
 */
export async function testUrl(
  { siteId, url: written, fetch, ...patterns }: TestRequest,
  { orgId }: { readonly orgId: string },
  deps: TestDeps,
) {
  const site = withPatterns(await ownSite(siteId, orgId, deps.table), patterns);
  const scoped = await scopedUrl(written, site, deps.table);
  if (!scoped) throw notAUrl();
  const { url, scope } = scoped;
  if (scope.decision === 'out_of_scope' || !fetch)
    return { url, scope, robots: { respected: crawlerConfigOf(site).respectRobotsTxt }, steps: [], isIndexable: false };
  const fetcher = deps.openFetcher(site.settings);
  try {
    const pageReader: PageReader = { read: (page) => deps.pageReader.read(page, orgId) };
    return { url, scope, ...(await fetchPage(url, site, fetcher, { ...deps, pageReader })) };
  } finally {
    await fetcher.close();
  }
}

function withPatterns({ settings, state }: SiteRecord, { includePatterns, excludePatterns }: Patterns): SiteRecord {
  const crawlerConfig = { ...settings.crawlerConfig, ...defined({ includePatterns, excludePatterns }) };
  return { settings: { ...settings, crawlerConfig }, state };
}

async function fetchPage(url: string, site: SiteRecord, fetcher: PageFetcher, deps: TestDeps) {
  const config = crawlerConfigOf(site);
  const filter = urlFilter({ ...baseOf(site, true), config });
  const robots = await robotsNow(filter.baseUrl, { fetcher, signal: deps.deadline });
  const view = { respected: config.respectRobotsTxt, ...(robots ? robotsDecision(robots, url) : { allowed: false }) };
  if (!robots && config.respectRobotsTxt)
    return {
      robots: view,
      steps: [{ url, outcome: 'skipped' as const, reason: 'robots' as const }],
      isIndexable: false,
    };
  const fields = sourcedFields(site.settings.metadataSchema);
  const rules = { filter, fields, selection: config, robots: config.respectRobotsTxt ? robots : undefined };
  return { robots: view, ...(await followSteps(url, rules, fetcher, deps)) };
}

/** Visits a URL, and then the targets of redirects on the site. Each step is one URL. */
async function followSteps(first: string, rules: VisitRules, fetcher: PageFetcher, deps: TestDeps) {
  const steps: ReturnType<typeof stepView>[] = [];
  const seen = new Set<string>();
  for (let url = first; ; ) {
    seen.add(url);
    const { visited, read } = await visitOnce(url, rules, fetcher, deps);
    const step = stepView(url, visited);
    steps.push(step);
    const next = step.reason === 'redirect' ? step.target : undefined;
    const isFollowed = next !== undefined && !seen.has(next) && rules.filter.refusal(next) !== 'out_of_scope';
    if (!isFollowed || steps.length > MAX_REDIRECTS)
      return { steps, isIndexable: 'content' in visited, ...(read && { page: pageView(read) }) };
    url = next;
  }
}

/** Visits one URL. It also returns the content of a page that must not be indexed. */
async function visitOnce(
  url: string,
  rules: VisitRules,
  fetcher: PageFetcher,
  { pageReader, clock, deadline }: TestDeps,
) {
  let read: Read | undefined;
  const queued = { url, urlHash: urlHash(url), depth: 0, tries: MANY_TRIES };
  const visited = await visitPage(queued, undefined, {
    rules,
    fetcher,
    clock,
    signal: deadline,
    pageReader: {
      read: async (page) => {
        const content = await pageReader.read(page);
        read = typeof content === 'object' ? { content, contentType: page.contentType } : undefined;
        return content;
      },
    },
  });
  return { visited, read: read as Read | undefined };
}

/** A number of previous tries that makes any answer final. */
const MANY_TRIES = 100;

function stepView(url: string, visited: Visit) {
  const ending = 'ending' in visited ? visited.ending : undefined;
  const { outcome, reason, status, target } = ending ?? {
    outcome: 'indexed' as const,
    reason: undefined,
    target: undefined,
    status: 'status' in visited ? visited.status : undefined,
  };
  const explanation = reasonSentence(reason);
  return {
    url,
    outcome,
    ...(reason !== undefined && { reason: reason as Reason }),
    ...defined({ status, target, explanation }),
  };
}

const pageView = ({ content, contentType }: Read) => {
  const text = plainText(content);
  return {
    ...defined({ contentType }),
    title: content.title,
    ...defined({
      description: content.description,
      language: content.language,
      publishedAt: content.publishedAt,
      canonical: content.canonical,
    }),
    tags: [...content.tags],
    noindex: content.noindex,
    nofollow: content.nofollow,
    headings: content.blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : [])).slice(0, MAX_LINKS),
    characters: text.length,
    chunks: chunkPage(content.blocks).length,
    text: cut(text, MAX_TEXT),
    linkCount: content.links.length,
    links: content.links.slice(0, MAX_LINKS).map(({ href }) => href),
  };
};
