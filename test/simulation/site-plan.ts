import type { SeededRandom } from './seeded-random.ts';

export const ORIGIN = 'http://site.test';

export type PlannedLink = { readonly href: string; readonly to?: string };

/** The answer of a URL. `to`, `links` and `canonical` are paths. */
export type PlannedPage = { readonly delayMs: number } & (
  | {
      readonly kind: 'page';
      readonly topic: string;
      readonly language: 'en' | 'de';
      readonly links: readonly PlannedLink[];
      readonly canonical?: string;
      readonly noindex: boolean;
      /** How many fetches kill the worker. */
      readonly kills: number;
      /** Fetches that are refused before one is answered. */
      readonly refusals: Refusals;
    }
  | { readonly kind: 'redirect' | 'refresh'; readonly to: string }
  | { readonly kind: 'status'; readonly status: 404 | 410 | 500 }
  | { readonly kind: 'silent' | 'file' | 'empty' }
);

export type Refusals = { readonly count: number; readonly by: 429 | 503 | 'reset'; readonly retryAfter?: string };

export type PlannedRobots = {
  /** Fetches that fail before one succeeds. */
  readonly failures: number;
  readonly text: string;
};

export type SitePlan = {
  readonly pages: ReadonlyMap<string, PlannedPage>;
  readonly robots: PlannedRobots;
  /** The paths that /sitemap.xml names. */
  readonly sitemap: readonly string[];
  /** Answers have validators. */
  readonly hasEtags: boolean;
};

/** `simple` has no redirects and canonicals, so that no depth depends on which URL is fetched first. */
export function planSite(random: SeededRandom, { simple }: { readonly simple: boolean }): SitePlan {
  const size = random.int(5, 40);
  const paths = [
    '/',
    ...random.times(size - 1, (index) => (random.chance(0.08) ? `/private/${index}` : `/page/${index}`)),
  ];
  const anyPath = () => paths[random.int(0, paths.length - 1)] ?? '/';
  const sharing = random.pick([0.1, 0.1, 0.6]);
  const refusing = random.pick([0.05, 0.05, 0.5]);
  let redirects = simple ? 0 : MAX_REDIRECTS;
  const pages = new Map<string, PlannedPage>();
  for (const [index, path] of paths.entries()) {
    const page = planPage(random, { index, mayRedirect: redirects > 0, simple, sharing, refusing, anyPath });
    if ('to' in page) redirects--;
    pages.set(path, page);
  }
  const isWide = random.chance(0.3); // the start page links to all, so that many pages are committed at once
  for (const [index, path] of paths.entries())
    linkFromEarlier(random, pages, paths.slice(0, isWide ? Math.min(index, 1) : index), path);
  return {
    pages,
    robots: planRobots(random),
    sitemap: random.chance(0.4) ? random.times(random.int(1, 10), anyPath) : [],
    hasEtags: random.chance(0.6),
  };
}

/** A chain of this length is followed to its end, whichever part of it is found first. */
const MAX_REDIRECTS = 5;

type Surroundings = {
  readonly index: number;
  readonly mayRedirect: boolean;
  readonly simple: boolean;
  /** The share of pages with the text of another page. */
  readonly sharing: number;
  /** The share of pages that the server refuses at first. */
  readonly refusing: number;
  readonly anyPath: () => string;
};

function planPage(
  random: SeededRandom,
  { index, mayRedirect, simple, sharing, refusing, anyPath }: Surroundings,
): PlannedPage {
  const delayMs = random.chance(0.05) ? random.int(2000, 14_000) : random.int(5, 300);
  const draw = index === 0 ? random.next() / 1.5 : random.next();
  if (draw > 0.92) return { kind: 'status', delayMs, status: random.pick([404, 410, 500]) };
  if (draw > 0.9) return { kind: random.pick(['silent', 'file', 'empty']), delayMs };
  if (draw > 0.8 && mayRedirect)
    return { kind: random.pick(['redirect', 'redirect', 'refresh']), delayMs, to: anyPath() };
  return {
    kind: 'page',
    delayMs,
    topic: random.chance(sharing) ? `shared ${random.int(1, 3)}` : `own ${index}`,
    language: random.pick(['en', 'en', 'en', 'de']),
    links: random.times(random.int(0, 5), () => planLink(random, anyPath())),
    ...(!simple && random.chance(0.15) && { canonical: anyPath() }),
    noindex: random.chance(0.06),
    kills: random.chance(0.02) ? random.pick([1, 2, Number.POSITIVE_INFINITY]) : 0,
    refusals: planRefusals(random, refusing),
  };
}

function planRefusals(random: SeededRandom, refusing: number): Refusals {
  if (!random.chance(refusing)) return { count: 0, by: 503 };
  const by = random.pick<Refusals['by']>([429, 503, 'reset']);
  const count = random.pick([1, by === 'reset' ? 1 : 2, Number.POSITIVE_INFINITY]);
  const retryAfter = random.pick([undefined, undefined, '3', '100', count === Number.POSITIVE_INFINITY ? '3600' : '7']);
  return { count, by, ...(retryAfter !== undefined && { retryAfter }) };
}

function planLink(random: SeededRandom, to: string): PlannedLink {
  if (random.chance(0.05)) return { href: random.pick(['http://other.test/', 'mailto:a@b.test', 'http://[', '#top']) };
  const href = random.pick([to, to, `${ORIGIN}${to}`, `${to}#part`, `${to}?utm_source=mail`]);
  return { href, to };
}

/** Most pages can be reached. */
function linkFromEarlier(
  random: SeededRandom,
  pages: Map<string, PlannedPage>,
  earlier: readonly string[],
  path: string,
): void {
  const from = earlier[random.int(0, earlier.length - 1)];
  const page = from === undefined ? undefined : pages.get(from);
  if (from === undefined || page?.kind !== 'page' || random.chance(0.1)) return;
  pages.set(from, { ...page, links: [...page.links, { href: path, to: path }] });
}

function planRobots(random: SeededRandom): PlannedRobots {
  const pause = random.chance(0.05) ? 'Crawl-delay: 1\n' : '';
  return {
    failures: random.pick([0, 0, 0, 0, 1, 2]),
    text: random.chance(0.7) ? `User-agent: *\n${pause}Disallow: /private/\n` : `User-agent: *\n${pause}`,
  };
}

/**
 * Returns the same site at a later time: some pages have another text, or that of another page, some redirect, and some
 * are gone.
 */
export function revisedSite(plan: SitePlan, random: SeededRandom): SitePlan {
  const planned = [...plan.pages.values()].filter((page) => page.kind === 'page');
  const revised = (path: string, page: PlannedPage): PlannedPage => {
    if (page.kind !== 'page' || random.chance(0.6)) return page;
    if (path !== '/' && random.chance(0.2)) return { kind: 'status', status: 404, delayMs: page.delayMs };
    const other = planned[random.int(0, planned.length - 1)] ?? page;
    if (random.chance(0.4)) return { ...page, links: other.links };
    return { ...page, topic: random.pick([`${page.topic} revised`, `shared ${random.int(1, 3)}`, other.topic]) };
  };
  return { ...plan, pages: new Map([...plan.pages].map(([path, page]) => [path, revised(path, page)])) };
}
