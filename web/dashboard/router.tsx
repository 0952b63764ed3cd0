import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { type GivenSearch, parseSearch, stringifySearch } from './address.ts';
import { loadPart } from './connection.ts';
import { Layout } from './layout/layout.tsx';
import { BrokenScreen, UnknownScreen } from './layout/lost-screens.tsx';
import { parseCrawl, parseJob } from './screens/crawl/address.ts';
import { parseEmbed } from './screens/embed/address.ts';
import { parseFirstSite } from './screens/first-site/address.ts';
import { parseGroups } from './screens/groups/address.ts';
import { parseKeys } from './screens/keys/address.ts';
import { parseOrganisation } from './screens/organisation/address.ts';
import { parsePlayground } from './screens/playground/address.ts';
import { parseReview, parseReviews } from './screens/reviews/address.ts';
import { parseSearches } from './screens/searches/address.ts';
import { parseSettings } from './screens/settings/address.ts';
import { parseSites } from './screens/sites/address.ts';
import { parseUrl } from './screens/url/address.ts';

/*
 * The screens by address. A screen is loaded when it is opened; what its address may hold is checked by the function
 * in its `address.ts`.
 */

const root = createRootRoute({ component: Layout, notFoundComponent: UnknownScreen });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const;

const home = createRoute({
  ...at('/'),
  beforeLoad: () => {
    throw redirect({ to: '/sites', replace: true });
  },
});
const sites = createRoute({
  ...at('/sites'),
  validateSearch: (given: GivenSearch) => parseSites(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/sites/sites-screen.tsx')), 'SitesScreen'),
});
const firstSite = createRoute({
  ...at('/sites/new'),
  validateSearch: (given: GivenSearch) => parseFirstSite(given),
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/first-site/first-site-screen.tsx')),
    'FirstSiteScreen',
  ),
});
const site = createRoute({
  ...at('/sites/$siteId'),
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/sites/$siteId/crawl', params, replace: true });
  },
});
const crawl = createRoute({
  ...at('/sites/$siteId/crawl'),
  validateSearch: (given: GivenSearch) => parseCrawl(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/crawl/crawl-screen.tsx')), 'CrawlScreen'),
});
const job = createRoute({
  ...at('/sites/$siteId/crawl/$jobId'),
  validateSearch: (given: GivenSearch) => parseJob(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/crawl/job-screen.tsx')), 'JobScreen'),
});
const url = createRoute({
  ...at('/sites/$siteId/url'),
  validateSearch: (given: GivenSearch) => parseUrl(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/url/url-screen.tsx')), 'UrlScreen'),
});
const searches = createRoute({
  ...at('/sites/$siteId/searches'),
  validateSearch: (given: GivenSearch) => parseSearches(given),
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/searches/searches-screen.tsx')),
    'SearchesScreen',
  ),
});
const playground = createRoute({
  ...at('/sites/$siteId/playground'),
  validateSearch: (given: GivenSearch) => parsePlayground(given),
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/playground/playground-screen.tsx')),
    'PlaygroundScreen',
  ),
});
const embed = createRoute({
  ...at('/sites/$siteId/embed'),
  validateSearch: (given: GivenSearch) => parseEmbed(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/embed/embed-screen.tsx')), 'EmbedScreen'),
});
const reviews = createRoute({
  ...at('/sites/$siteId/reviews'),
  validateSearch: (given: GivenSearch) => parseReviews(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/reviews/reviews-screen.tsx')), 'ReviewsScreen'),
});
const review = createRoute({
  ...at('/sites/$siteId/reviews/$reviewId'),
  validateSearch: (given: GivenSearch) => parseReview(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/reviews/review-screen.tsx')), 'ReviewScreen'),
});
const settings = createRoute({
  ...at('/sites/$siteId/settings'),
  validateSearch: (given: GivenSearch) => parseSettings(given),
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/settings/settings-screen.tsx')),
    'SettingsScreen',
  ),
});
const groups = createRoute({
  ...at('/groups'),
  validateSearch: (given: GivenSearch) => parseGroups(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/groups/groups-screen.tsx')), 'GroupsScreen'),
});
const group = createRoute({
  ...at('/groups/$groupId'),
  validateSearch: (given: GivenSearch) => parseGroups(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/groups/group-screen.tsx')), 'GroupScreen'),
});
const keys = createRoute({
  ...at('/keys'),
  validateSearch: (given: GivenSearch) => parseKeys(given),
  component: lazyRouteComponent(() => loadPart(() => import('./screens/keys/keys-screen.tsx')), 'KeysScreen'),
});
const organisation = createRoute({
  ...at('/organisation'),
  validateSearch: (given: GivenSearch) => parseOrganisation(given),
  component: lazyRouteComponent(
    () => loadPart(() => import('./screens/organisation/organisation-screen.tsx')),
    'OrganisationScreen',
  ),
});

const routeTree = root.addChildren([
  home,
  sites,
  firstSite,
  site,
  crawl,
  job,
  url,
  searches,
  playground,
  embed,
  reviews,
  review,
  settings,
  groups,
  group,
  keys,
  organisation,
]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
