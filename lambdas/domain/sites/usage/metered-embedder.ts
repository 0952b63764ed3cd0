import type { Clock } from '../../clock.ts';
import { AiBudgetError } from '../../errors.ts';
import type { Embedder, EmbeddingAccount } from '../../ports/embedder.ts';
import type { Counters, TableReader } from '../../ports/table.ts';
import { isWithinAiBudget } from './ai-budget.ts';
import { recordAiUse } from './ai-usage.ts';

/**
 * Returns the embedder charged to an organisation. It rejects texts beyond the organisation's budget, but not queries:
 * they are small, and without them the paid vectors would be useless.
 */
export function meteredEmbedder(
  embedder: Embedder,
  orgId: string,
  deps: { readonly table: TableReader & Counters; readonly clock: Clock } & Pick<EmbeddingAccount, 'timeLeft'>,
): Embedder {
  const account: EmbeddingAccount = {
    timeLeft: deps.timeLeft,
    async admit() {
      if (!(await isWithinAiBudget(orgId, deps)))
        throw new AiBudgetError('the AI tokens of the month are used up: a larger plan has more');
    },
    charge: (model, tokens) => recordAiUse(orgId, { kind: 'ingest', model, requests: 1, inputTokens: tokens }, deps),
  };
  return {
    space: embedder.space,
    dimensions: embedder.dimensions,
    ...(embedder.isFree && { isFree: true }),
    ...(embedder.isWord && { isWord: (word) => embedder.isWord?.(word) ?? Promise.resolve(false) }),
    ...(embedder.scale && { scale: async () => embedder.scale?.() }),
    ...(embedder.measure && { measure: async (pages) => embedder.measure?.(pages, account) }),
    embedTexts: (texts) => embedder.embedTexts(texts, account),
    embedQuery: (query, deadlineMs) => embedder.embedQuery(query, deadlineMs, account),
  };
}
