import { textOf } from './simulated-site.ts';
import { ORIGIN, type PlannedPage, type Refusals, type SitePlan } from './site-plan.ts';

/** `page`: of all pages with one text, one is indexed and the others are duplicates. */
export type ExpectedEnd =
  | { readonly outcome: 'page'; readonly text: string }
  | {
      readonly outcome: 'skipped' | 'gone' | 'failed';
      readonly reason: string;
      readonly target?: string;
      /** Part of a redirect loop: the redirect that closes it depends on which one is fetched first. */
      readonly mayLoop?: boolean;
    };

/** A URL's least depth, and its outcome. */
export type ExpectedVisit = {
  readonly depth: number;
  readonly end: ExpectedEnd;
  /** Named by the sitemap, or by another page as its canonical. */
  readonly isNamed: boolean;
};

type Walked = Omit<ExpectedVisit, 'isNamed'> & { readonly page: PlannedPage | undefined };

export type Walk = {
  readonly maxDepth: number;
  /** The links of the sitemap's pages are followed. */
  readonly isSitemapFollowed: boolean;
};

/** The result of any crawl of a planned site, in whatever order it fetches: a plain breadth-first walk, by URL. */
export function expectedVisits(
  plan: SitePlan,
  { maxDepth, isSitemapFollowed }: Walk,
): ReadonlyMap<string, ExpectedVisit> {
  const walked = new Map<string, Walked>();
  const leaves = new Set(plan.sitemap);
  let level: readonly string[] = ['/', ...(isSitemapFollowed ? plan.sitemap : [])];
  for (let depth = 0; level.length > 0; depth++)
    level = walkLevel(
      depth > maxDepth ? level.filter((path) => !leaves.has(path)) : level,
      { depth, isTooDeep: depth > maxDepth },
      plan,
      walked,
    );
  walkLevel(plan.sitemap, { depth: 0, isTooDeep: false }, plan, walked);
  const named = new Set([...plan.sitemap, ...canonicals(walked)]);
  requeueOrphans(walked);
  return new Map([...walked].map(([path, visit]) => [ORIGIN + path, { ...visit, isNamed: named.has(path) }]));
}

/** The paths that pages name as canonical, whether or not they turn out to be usable. */
const canonicals = (walked: ReadonlyMap<string, Walked>): readonly string[] =>
  [...walked.values()].flatMap(({ end }) => (isCanonical(end) ? (end.target ?? []) : []));

/** Walks all URLs of one depth, with those that redirects and canonicals add, and returns the next depth. */
function walkLevel(
  level: readonly string[],
  { depth, isTooDeep }: { readonly depth: number; readonly isTooDeep: boolean },
  plan: SitePlan,
  walked: Map<string, Walked>,
): readonly string[] {
  const deeper: string[] = [];
  const waiting = [...level];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (walked.has(path)) continue;
    const page = plan.pages.get(path);
    const end: ExpectedEnd = isTooDeep ? { outcome: 'skipped', reason: 'too_deep' } : firstEnd(path, page, plan);
    walked.set(path, { depth, page, end });
    if (end.outcome !== 'page' && STOPS.has(end.reason)) continue;
    waiting.push(...sideways(path, page));
    if (page?.kind === 'page') deeper.push(...page.links.flatMap(({ to }) => to ?? []));
  }
  return deeper;
}

/** No URL is found on a page with such an outcome. */
const STOPS: ReadonlySet<string> = new Set(['too_deep', 'robots', 'gave_up', 'unavailable', 'connection']);

/** Targets of redirects and canonicals have the depth of the page that names them. */
function sideways(path: string, page: PlannedPage | undefined): readonly string[] {
  if (page?.kind === 'redirect' || page?.kind === 'refresh') return [page.to];
  return page?.kind === 'page' && !page.noindex && page.canonical !== undefined && page.canonical !== path
    ? [page.canonical]
    : [];
}

function firstEnd(path: string, page: PlannedPage | undefined, plan: SitePlan): ExpectedEnd {
  const { robots } = plan;
  if (path.startsWith('/private/') && robots.text.includes('Disallow')) return { outcome: 'skipped', reason: 'robots' };
  switch (page?.kind) {
    case undefined:
      return { outcome: 'gone', reason: '404' };
    case 'status':
      if (page.status === 500) return { outcome: 'failed', reason: 'http_status' };
      return { outcome: 'gone', reason: String(page.status) };
    case 'redirect':
      if (page.to === path) return { outcome: 'failed', reason: 'redirect_loop' };
      return { outcome: 'skipped', reason: 'redirect', target: page.to, mayLoop: comesBack(path, plan) };
    case 'refresh': // a page that only reloads itself is an ordinary page
      return page.to === path
        ? { outcome: 'page', text: 'refresh' }
        : { outcome: 'skipped', reason: 'redirect', target: page.to, mayLoop: comesBack(path, plan) };
    case 'silent':
      return { outcome: 'failed', reason: 'timeout' };
    case 'file':
      return { outcome: 'skipped', reason: 'content_type' };
    case 'empty':
      return { outcome: 'skipped', reason: 'empty' };
    case 'page':
      return pageEnd(path, page);
  }
}

/** Tells whether the redirects that begin at this URL return to it. */
function comesBack(path: string, { pages }: SitePlan): boolean {
  let next = pages.get(path);
  for (let hop = 0; hop < 50 && (next?.kind === 'redirect' || next?.kind === 'refresh'); hop++) {
    if (next.to === path) return true;
    next = pages.get(next.to);
  }
  return false;
}

function pageEnd(path: string, page: PlannedPage & { readonly kind: 'page' }): ExpectedEnd {
  if (page.kills === Number.POSITIVE_INFINITY) return { outcome: 'failed', reason: 'gave_up' };
  const refused = refusedEnd(page.refusals);
  if (refused) return refused;
  if (page.noindex) return { outcome: 'skipped', reason: 'noindex' };
  if (page.canonical !== undefined && page.canonical !== path)
    return { outcome: 'skipped', reason: 'canonical', target: page.canonical };
  return { outcome: 'page', text: textOf(page) };
}

/** Pages that are refused a few times are answered at a later try. */
function refusedEnd({ count, by }: Refusals): ExpectedEnd | undefined {
  return count === Number.POSITIVE_INFINITY
    ? { outcome: 'failed', reason: by === 'reset' ? 'connection' : 'unavailable' }
    : undefined;
}

const MAX_HOPS = 5;

/** Pages whose canonical leads to no indexed page are indexed themselves, all of them at once. */
function requeueOrphans(walked: Map<string, Walked>): void {
  for (;;) {
    const orphans = [...walked].filter(([, { end }]) => isCanonical(end) && !leadsToPage(end, walked));
    if (orphans.length === 0) return;
    for (const [path, { depth, page }] of orphans)
      if (page?.kind === 'page') walked.set(path, { depth, page, end: { outcome: 'page', text: textOf(page) } });
  }
}

const isCanonical = (end: ExpectedEnd): end is ExpectedEnd & { readonly outcome: 'skipped' } =>
  end.outcome === 'skipped' && end.reason === 'canonical';

function leadsToPage(end: ExpectedEnd, walked: ReadonlyMap<string, Walked>): boolean {
  let next: ExpectedEnd | undefined = end;
  for (let hop = 0; hop < MAX_HOPS && next !== undefined; hop++) {
    if (next.outcome === 'page' || next.target === undefined) return next.outcome === 'page';
    next = walked.get(next.target)?.end;
  }
  return next?.outcome === 'page';
}
