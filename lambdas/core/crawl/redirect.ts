import { sameSite } from '../web/same-site.ts';
import { originOf, pathOf } from '../web/url.ts';
import type { Ending, FoundUrl, QueuedUrl } from './frontier.ts';
import type { VisitRules } from './visit.ts';

const MOST_REDIRECTS = 5;

type Redirection = {
  readonly found: readonly FoundUrl[];
  readonly ending: Ending;
  /** The site has moved within its domain: its base URL from now on. */
  readonly movedTo?: string;
};

/** Where a redirect leads, unless too many have led here already, or it leads to itself. Whether the target is in scope is judged when it is recorded. */
export function redirection(target: string, queued: QueuedUrl, rules: VisitRules, status: number): Redirection {
  const hops = (queued.hops ?? 0) + 1;
  if (target === queued.url || hops > MOST_REDIRECTS)
    return { found: [], ending: { outcome: 'failed', reason: 'redirect_loop', status } };
  const movedTo = newBaseUrl(target, queued, rules);
  const isStart = queued.isStart && (movedTo !== undefined || originOf(target) === rules.scope.origin);
  return {
    found: [{ url: target, depth: queued.depth, foundOn: queued.url, hops, ...(isStart && { isStart }) }],
    ending: { outcome: 'skipped', reason: 'redirect', status, target },
    ...(movedTo !== undefined && { movedTo }),
  };
}

/** A site moves with its start page; a list has none, so there a URL tells it that moves to another origin under the same path. */
function newBaseUrl(target: string, queued: QueuedUrl, { scope, isListed }: VisitRules): string | undefined {
  if (originOf(target) === scope.origin || !sameSite(target, scope.baseUrl)) return undefined;
  if (queued.isStart) return target;
  const isWholeMove = isListed !== undefined && pathOf(target) === pathOf(queued.url);
  return isWholeMove ? `${originOf(target)}${pathOf(scope.baseUrl)}` : undefined;
}
