import { sameSite } from '../../web/same-site.ts';
import { originOf, pathOf, urlHash } from '../../web/url.ts';
import type { Ending, FoundUrl, QueuedUrl } from '../frontier/frontier-rows.ts';
import type { VisitRules } from './visit-result.ts';

export const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

type Redirection = {
  readonly found: readonly FoundUrl[];
  readonly ending: Ending;
  /** The site has moved within its domain: its base URL from now on. */
  readonly movedTo?: string;
};

/** Where a redirect leads, unless too many have led here already, or it leads back to one of them. Whether the target is in scope is judged when it is recorded. */
export function redirection(target: string, queued: QueuedUrl, rules: VisitRules, status: number): Redirection {
  const via = [...(queued.via ?? []), queued.urlHash];
  if (via.length > MOST_REDIRECTS || via.includes(urlHash(target)))
    return { found: [], ending: { outcome: 'failed', reason: 'redirect_loop', status } };
  const movedTo = newBaseUrl(target, queued, rules);
  const isStart = queued.isStart && (movedTo !== undefined || originOf(target) === rules.scope.origin);
  return {
    found: [
      {
        ...{ url: target, depth: queued.depth, foundOn: queued.url, via, isTarget: true },
        ...(isStart && { isStart }),
        ...(queued.isLeaf && { isLeaf: true }),
      },
    ],
    ending: { outcome: 'skipped', reason: 'redirect', status, target },
    ...(movedTo !== undefined && { movedTo }),
  };
}

/**
 * A site moves with its start page; a list has none, so there a URL tells it that keeps its path and its host, but for a `www.`. Any other
 * host may be that of this one page.
 */
function newBaseUrl(target: string, queued: QueuedUrl, { scope, isListed }: VisitRules): string | undefined {
  if (originOf(target) === scope.origin || !sameSite(target, scope.baseUrl)) return undefined;
  if (queued.isStart) return target;
  const isWholeMove = bareHost(target) === bareHost(scope.baseUrl) && pathOf(target) === pathOf(queued.url);
  return isListed && isWholeMove ? `${originOf(target)}${pathOf(scope.baseUrl)}` : undefined;
}

const bareHost = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/^www\./, '');
