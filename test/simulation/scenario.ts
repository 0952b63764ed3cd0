import type { RemovalPolicy } from '../../lambdas/domain/sites/site-settings.ts';
import type { SeededRandom } from './seeded-random.ts';

export type Scenario = {
  readonly maxPages: number;
  readonly maxDepth: number;
  /** The settings name the sitemap with `recursive: false`. */
  readonly hasLeaves: boolean;
  /** Milliseconds after the start. */
  readonly cancelAt: number | undefined;
  readonly deleteAt: number | undefined;
  readonly crawls: 1 | 2 | 3;
  readonly longestInvocationMs: number;
  readonly removalPolicy: RemovalPolicy;
  /** Later crawls are started by a schedule. */
  readonly isScheduled: boolean;
};

const UNLIMITED = 10_000;

export function planScenario(random: SeededRandom): Scenario {
  const kind = random.pick(['plain', 'plain', 'plain', 'plain', 'cancel', 'delete', 'few pages', 'shallow']);
  const sometime = random.pick([random.int(0, 3000), random.int(0, 30_000), random.int(0, 300_000)]);
  return {
    maxPages: kind === 'few pages' ? random.int(1, 20) : UNLIMITED,
    maxDepth: kind === 'shallow' ? random.int(0, 3) : 100,
    hasLeaves: random.chance(0.3),
    cancelAt: kind === 'cancel' ? sometime : undefined,
    deleteAt: kind === 'delete' ? sometime : undefined,
    crawls: random.pick([1, 1, 2, 2, 3]),
    // A clean-up relies on a time limit for the slices of a deleted site.
    longestInvocationMs: kind === 'delete' || random.chance(0.5) ? 115_000 : Number.POSITIVE_INFINITY,
    isScheduled: random.chance(0.2),
    removalPolicy: {
      holdPercent: random.pick([0, 10, 30]),
      minPages: random.pick([1, 2, 10]),
      mode: random.pick(['hold', 'hold', 'hold', 'hold', 'hold', 'apply', 'never']),
    },
  };
}
