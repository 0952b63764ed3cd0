import { type Clock, epochSeconds } from '../../clock.ts';
import { everyItem } from '../../every-item.ts';
import { COUNT_DAYS } from '../../ports/event-log.ts';
import { dayOf } from '../../ports/rules/days.ts';
import type { Counters, Item, Key, TableReader } from '../../ports/table.ts';

/*
 * An organisation's use of a provider's models is stored in one item per day (UTC). It has a field for each kind of
 * call, model and count, so that concurrent calls only add. A month is the sum of its days.
 */

export const AI_KINDS = ['ingest', 'chat'] as const;
/** `ingest`: embeddings and metadata of pages, and query vectors. `chat`: answers to visitors. */
export type AiKind = (typeof AI_KINDS)[number];

export type AiCounts = {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens that were not paid, because an earlier answer was reused. */
  readonly savedTokens: number;
};
export type AiUse = AiCounts & { readonly kind: AiKind; readonly model: string };
export type AiUseOfDay = AiUse & { readonly day: string };

const COUNTS = ['requests', 'inputTokens', 'outputTokens', 'savedTokens'] as const;
const NONE: AiCounts = { requests: 0, inputTokens: 0, outputTokens: 0, savedTokens: 0 };
const KEPT_SECONDS = COUNT_DAYS * 86_400;
const PREFIX = 'DAY#';

/** Returns the month in UTC, `YYYY-MM`. */
export const monthOf = (clock: Clock): string => new Date(clock()).toISOString().slice(0, 7);

/** Returns a separate partition: searches may write to it, but not to other items of the organisation. */
const pkOf = (orgId: string): string => `USAGE#${orgId}`;
const aiUsageKey = (orgId: string, day: string): Key => ({ pk: pkOf(orgId), sk: PREFIX + day });

export async function recordAiUse(
  orgId: string,
  { kind, model, ...counts }: Pick<AiUse, 'kind' | 'model'> & Partial<AiCounts>,
  { table, clock }: { readonly table: Counters; readonly clock: Clock },
): Promise<void> {
  const named = COUNTS.flatMap((count) => (counts[count] ? [[`${kind}:${count}:${model}`, counts[count]]] : []));
  if (named.length === 0) return;
  const set = { expiresAt: epochSeconds(clock) + KEPT_SECONDS };
  await table.update(aiUsageKey(orgId, dayOf(clock())), { add: Object.fromEntries(named), set });
}

/** Returns one row for each day, kind of call and model used in the month, oldest first. */
export async function readAiUseByDay(orgId: string, month: string, table: TableReader): Promise<readonly AiUseOfDay[]> {
  const uses: AiUseOfDay[] = [];
  for await (const item of everyItem(table, pkOf(orgId), `${PREFIX}${month}-`))
    uses.push(...usesIn(item).map((use) => ({ ...use, day: item.sk.slice(PREFIX.length) })));
  return uses;
}

/** Returns one row for each kind of call and model used in the month. */
export async function readAiUse(orgId: string, month: string, table: TableReader): Promise<readonly AiUse[]> {
  const byDay = await readAiUseByDay(orgId, month, table);
  const byCall = [...Map.groupBy(byDay, ({ kind, model }) => `${kind}:${model}`).values()];
  return byCall.flatMap(([first, ...others]) => {
    if (!first) return [];
    const { kind, model } = first;
    const sum = (count: keyof AiCounts) => others.reduce((total, use) => total + use[count], first[count]);
    return [{ kind, model, ...(Object.fromEntries(COUNTS.map((count) => [count, sum(count)])) as AiCounts) }];
  });
}

function usesIn(item: Item): readonly AiUse[] {
  const uses = new Map<string, AiUse>();
  for (const [field, value] of Object.entries(item)) {
    const [, kind, count, model] = /^(ingest|chat):(\w+):(.+)$/s.exec(field) ?? [];
    if (kind === undefined || count === undefined || model === undefined) continue;
    const name = `${kind}:${model}`;
    const before = uses.get(name) ?? { kind: kind as AiKind, model, ...NONE };
    uses.set(name, { ...before, [count]: value });
  }
  return [...uses.values()];
}

export const tokensOf = (uses: readonly AiCounts[]): number =>
  uses.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
