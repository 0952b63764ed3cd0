import type { Clock } from '../clock.ts';
import type { Key, Table } from '../ports/table.ts';

/*
 * What the models of a provider cost an organisation, by month (UTC): one item for each month, with a field for each
 * kind of call, model and count, so that concurrent calls only add.
 */

export const AI_KINDS = ['ingest', 'chat'] as const;
/** `ingest`: embeddings and metadata of pages, and query vectors. `chat`: answers to visitors. */
export type AiKind = (typeof AI_KINDS)[number];

export type AiCounts = {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens that were not paid, because an earlier answer was used again. */
  readonly savedTokens: number;
};
export type AiUse = AiCounts & { readonly kind: AiKind; readonly model: string };

const COUNTS = ['requests', 'inputTokens', 'outputTokens', 'savedTokens'] as const;

/** `YYYY-MM` in UTC. */
export const monthOf = (clock: Clock): string => new Date(clock()).toISOString().slice(0, 7);

const aiUsageKey = (orgId: string, month: string): Key => ({ pk: `ORG#${orgId}`, sk: `USAGE#${month}` });

export async function recordAiUse(
  orgId: string,
  { kind, model, ...counts }: Pick<AiUse, 'kind' | 'model'> & Partial<AiCounts>,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<void> {
  const named = COUNTS.flatMap((count) => (counts[count] ? [[`${kind}:${count}:${model}`, counts[count]]] : []));
  if (named.length === 0) return;
  await table.update(aiUsageKey(orgId, monthOf(clock)), { add: Object.fromEntries(named) });
}

/** One row for each kind of call and model that was used in the month. */
export async function readAiUse(orgId: string, month: string, table: Table): Promise<readonly AiUse[]> {
  const item = (await table.get(aiUsageKey(orgId, month))) ?? {};
  const uses = new Map<string, AiUse>();
  for (const [field, value] of Object.entries(item)) {
    const [, kind, count, model] = /^(ingest|chat):(\w+):(.+)$/s.exec(field) ?? [];
    if (kind === undefined || count === undefined || model === undefined) continue;
    const name = `${kind}:${model}`;
    const none = { requests: 0, inputTokens: 0, outputTokens: 0, savedTokens: 0 };
    const before = uses.get(name) ?? { kind: kind as AiKind, model, ...none };
    uses.set(name, { ...before, [count]: value });
  }
  return [...uses.values()];
}

export const tokensOf = (uses: readonly AiUse[]): number =>
  uses.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
