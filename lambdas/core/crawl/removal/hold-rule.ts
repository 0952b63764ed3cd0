import type { RemovalReason } from '../../reviews/review.ts';
import type { RemovalPolicy } from '../../sites/site-settings.ts';

/** A server answers 404 or 410 for one page. All other reasons can have one cause for the whole site. */
const OF_ONE_PAGE: ReadonlySet<RemovalReason> = new Set<RemovalReason>(['404', '410']);
/** With fewer pages, more than half says little. */
const FEWEST_WITH_ONE_CAUSE = 3;

export type Losses = ReadonlyMap<RemovalReason, number>;

/**
 * Whether a removal needs a review: many pages would go and a large share, or, on a site too small for the first rule,
 * more than half of the pages would go for one reason that a fault of the whole site explains, such as a login page.
 */
export function mustHold(losses: Losses, crawledPages: number, policy: RemovalPolicy): boolean {
  const count = [...losses.values()].reduce((sum, ofReason) => sum + ofReason, 0);
  if (policy.mode !== 'hold' || count <= (policy.holdPercent / 100) * crawledPages) return false;
  return count >= policy.minPages || haveOneCause(losses, crawledPages);
}

const haveOneCause = (losses: Losses, crawledPages: number): boolean =>
  [...losses].some(
    ([reason, count]) => !OF_ONE_PAGE.has(reason) && count >= FEWEST_WITH_ONE_CAUSE && count > crawledPages / 2,
  );
