import { textOf } from './simulated-site.ts';
import type { PlannedPage, SitePlan } from './site-plan.ts';

/** Tells whether an indexed page must stay or go by what the site answers now, or whether either is right. */
export type Fate = 'alive' | 'gone' | 'unsure';

export function fateOf(path: string, plan: SitePlan): Fate {
  const page = plan.pages.get(path);
  if (path.startsWith('/private/') && plan.robots.text.includes('Disallow')) return 'gone';
  if (page?.kind === 'page') return fateOfContent(path, page, plan);
  if (page?.kind === 'silent' || (page?.kind === 'status' && page.status === 500)) return 'alive'; // it may come back
  return page && 'to' in page && page.to === path ? 'unsure' : 'gone';
}

function fateOfContent(path: string, page: PlannedPage & { readonly kind: 'page' }, { pages }: SitePlan): Fate {
  if (page.noindex) return page.kills === 0 && page.refusals.count === 0 ? 'gone' : 'unsure';
  if (page.canonical !== undefined && page.canonical !== path) return 'unsure';
  const isShared = [...pages].some(
    ([other, one]) => other !== path && one.kind === 'page' && textOf(one) === textOf(page),
  );
  return isShared ? 'unsure' : 'alive';
}
