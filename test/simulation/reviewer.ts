import { approveReview, rejectReview } from '../../lambdas/domain/crawl/reviews/decide-review.ts';
import { REVIEWS, type Review } from '../../lambdas/domain/crawl/reviews/review.ts';
import type { Simulation } from './simulation.ts';

type Deps = Parameters<typeof approveReview>[2];
type Caller = Parameters<typeof approveReview>[1];

/** Repeats an act until it is done or refused. */
export type Insist = (act: () => Promise<unknown>) => Promise<void>;

/** Decides on held removals: one way, both ways at once, or not at all. */
export class Reviewer {
  readonly #simulation: Simulation;
  readonly #caller: Caller;
  readonly #deps: Deps;
  readonly #insist: Insist;

  constructor(
    simulation: Simulation,
    { caller, deps, insist }: { readonly caller: Caller; readonly deps: Deps; readonly insist: Insist },
  ) {
    this.#simulation = simulation;
    this.#caller = caller;
    this.#deps = deps;
    this.#insist = insist;
  }

  /** Answers whether a sweep may have begun. */
  async decide(siteId: string): Promise<boolean> {
    const { table, random } = this.#simulation;
    const pending = (table.under(`SITE#${siteId}`, REVIEWS) as unknown as readonly Review[]).find(
      ({ status }) => status === 'pending',
    );
    if (!pending) return false;
    const ids = { siteId, reviewId: pending.reviewId };
    const approve = () => this.#insist(() => approveReview(ids, this.#caller, this.#deps));
    const reject = () => this.#insist(() => rejectReview(ids, this.#caller, this.#deps));
    const decision = random.pick(['approve', 'approve', 'approve', 'approve twice', 'reject', 'both', 'wait']);
    if (decision === 'approve' || decision === 'approve twice') await approve();
    if (decision === 'approve twice') await approve();
    if (decision === 'reject') await reject();
    if (decision === 'both') await Promise.all([approve(), reject()]);
    return decision !== 'wait' && decision !== 'reject';
  }
}
