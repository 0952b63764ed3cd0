import type { Reason } from '../../crawl/jobs/outcomes.ts';
import type { CrawlHistory } from './crawl-history.ts';
import type { Removal } from './indexed-page-at-url.ts';
import type { ScopeDecision } from './scope-decision.ts';

/** Explains for each reason why a URL was not indexed, and what its owner can do. */
const BY_REASON: Readonly<Record<Reason, string>> = {
  robots: 'robots.txt forbids it. Allow it for sitesearchbot, or turn respectRobotsTxt off.',
  ingested: 'It was sent to the API, so crawls leave it as it is.',
  excluded: 'An exclude pattern matched it. Change excludePatterns.',
  not_included: 'No include pattern matched it. Change includePatterns.',
  out_of_scope: 'It is not on the site of the base URL.',
  noindex: 'The page or its X-Robots-Tag header says noindex. Remove that, then crawl again.',
  canonical: 'The page names another page as its canonical, which is indexed instead.',
  redirect: 'It redirects to another URL, which is indexed instead.',
  too_deep: 'It is more links from the start page than maxDepth. Raise maxDepth, or list it in a sitemap.',
  over_limit: 'The crawl ended at a limit before it came to this URL. Raise maxPages.',
  cancelled: 'The crawl was cancelled before it came to this URL. Start another one.',
  content_type: 'It has a content type that is not indexed.',
  encrypted: 'The PDF opens with a password only. Publish it without one.',
  scanned: 'The PDF has pictures of pages and no letters. Add a text layer by text recognition (OCR).',
  broken_pdf: 'The file is no PDF that can be read. Export it again.',
  empty: 'The page has no text of its own. If scripts write its text, set javascriptEnabled.',
  soft_404: 'The page answers 200, but its text says that there is no such page.',
  404: 'The server answers 404.',
  410: 'The server answers 410.',
  http_status: 'The server answered an error.',
  timeout: 'The server did not answer in time.',
  dns: 'The host does not resolve.',
  connection: 'The server refused or dropped the connection.',
  private_address: 'The host has a private address, which is never crawled.',
  too_large: 'The page is larger than the crawler reads.',
  redirect_loop: 'It redirects in a loop, or through too many URLs.',
  unavailable: 'The server refused it for being overloaded (429 or 503). Crawl more slowly with delayMs.',
  gave_up: 'Reading the page made the crawler fail repeatedly.',
  bad_content: 'The answer of the server cannot be read.',
  not_rendered: 'Only a browser shows its text, and the browser could not show it.',
};

const BY_SCOPE: Readonly<Record<Exclude<ScopeDecision['decision'], 'admitted'>, string>> = {
  out_of_scope: 'It is not on the origin of the base URL, so no crawl visits it.',
  excluded: 'excludePatterns exclude it.',
  not_included: 'No pattern of includePatterns matches it.',
  not_listed: 'Crawls are restricted to a list of URLs, which does not have it.',
};

const UNMET = 'No crawl has met it: no page that was crawled links to it, and no sitemap names it.';

export const reasonSentence = (reason: string | undefined): string | undefined => BY_REASON[reason as Reason];

type Known = {
  readonly isSearchable: boolean;
  readonly aliasOf: string | undefined;
  readonly removal: Removal | undefined;
  readonly scope: ScopeDecision;
  /** Whether robots.txt forbids the URL and the site respects robots.txt. */
  readonly isForbidden: boolean;
  readonly crawls: Pick<CrawlHistory, 'history' | 'lastCrawl'>;
};

/** Returns a sentence that tells whether a URL is found, or why not: the first fact that explains the others. */
export function verdict({ isSearchable, aliasOf, removal, scope, isForbidden, crawls }: Known): string {
  const [last] = crawls.history;
  if (removal?.state === 'held')
    return `The page is indexed. A crawl found it gone (${removal.reason}); its removal waits for a review.`;
  if (isSearchable) return 'The page is indexed.';
  if (aliasOf !== undefined) return insteadOf(aliasOf);
  if (removal) return `The page was removed from the index. ${reasonSentence(last?.reason) ?? ''}`.trim();
  if (scope.decision !== 'admitted') return BY_SCOPE[scope.decision];
  if (!last) return isForbidden ? BY_REASON.robots : unmet(crawls.lastCrawl);
  if (last.outcome === 'duplicate' && last.target !== undefined) return insteadOf(last.target);
  if (last.outcome === undefined) return 'It is queued in the crawl that is running.';
  return reasonSentence(last.reason) ?? 'A crawl has indexed it, and it was deleted since.';
}

const insteadOf = (url: string): string => `It has the text of ${url}, which is indexed instead.`;

function unmet(crawl: CrawlHistory['lastCrawl']): string {
  if (!crawl) return 'The site has not been crawled yet.';
  if (crawl.status === 'failed') return `${UNMET} The last crawl failed: ${crawl.error ?? crawl.endReason}`;
  if (crawl.status === 'cancelled') return `${UNMET} The last crawl was cancelled before it had seen the whole site.`;
  if (crawl.status !== 'completed') return 'The crawl that is running has not met it yet.';
  if (crawl.endReason === 'limit')
    return `${UNMET} The last crawl ended at a limit, so it has not seen the whole site. Raise maxPages.`;
  return `${UNMET} Link to it, list it in a sitemap, or raise maxDepth.`;
}
