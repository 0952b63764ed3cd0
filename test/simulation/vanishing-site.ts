import type { SeededRandom } from './seeded-random.ts';
import { type PlannedPage, revisedSite, type SitePlan } from './site-plan.ts';

type Content = PlannedPage & { readonly kind: 'page' };

/**
 * The same site later: a little changed, or with a large share of its pages lost to one cause, or as it was at first.
 */
export function laterSite(plan: SitePlan, first: SitePlan, random: SeededRandom): SitePlan {
  switch (random.pick(['revised', 'gone', 'gone', 'noindex', 'error page', 'down', 'back'])) {
    case 'gone':
      return most(plan, random, ({ delayMs }) => ({ kind: 'status', status: random.pick([404, 410]), delayMs }));
    case 'noindex':
      return most(plan, random, (page) => ({ ...page, noindex: true }));
    case 'error page':
      return most(plan, random, (page) => ({ ...page, topic: 'an error', language: 'en', links: [] }));
    case 'down':
      return most(plan, random, ({ delayMs }) => ({ kind: 'status', status: 500, delayMs }));
    case 'back':
      return first;
    default:
      return revisedSite(plan, random);
  }
}

/** Changes most pages, or all. */
function most(plan: SitePlan, random: SeededRandom, change: (page: Content) => PlannedPage): SitePlan {
  const share = random.pick([0.5, 0.9, 1]);
  const isSpared = (path: string) => path === '/' && share < 1;
  const changed = (path: string, page: PlannedPage): PlannedPage =>
    page.kind === 'page' && !isSpared(path) && random.chance(share) ? change(page) : page;
  return { ...plan, pages: new Map([...plan.pages].map(([path, page]) => [path, changed(path, page)])) };
}
