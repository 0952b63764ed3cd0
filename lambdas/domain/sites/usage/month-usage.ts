import type { Clock } from '../../clock.ts';
import { AppError, isOutage } from '../../errors.ts';
import type { EventReader } from '../../ports/event-log.ts';
import { monthPeriod } from '../../ports/rules/days.ts';
import { sumOf } from '../../ports/rules/event-counts.ts';
import type { TableReader } from '../../ports/table.ts';
import type { Caller } from '../access/api-key.ts';
import { sitesOf } from '../site.ts';
import { AI_KINDS, type AiCounts, type AiKind, type AiUse, monthOf, readAiUseByDay, tokensOf } from './ai-usage.ts';
import { priceOf } from './prices.ts';

type UsageDeps = { readonly table: TableReader; readonly eventLog: EventReader; readonly clock: Clock };

/** Returns the usage of an organisation in a month (UTC), by default the current one. */
export async function monthUsage(month: string | undefined, { orgId }: Pick<Caller, 'orgId'>, deps: UsageDeps) {
  const of = month ?? monthOf(deps.clock);
  try {
    const [uses, days, sites] = await Promise.all([
      readAiUseByDay(orgId, of, deps.table),
      deps.eventLog.days({ orgId }, monthPeriod(of)),
      sitesOf(orgId, deps.table),
    ]);
    const { searches, chats } = sumOf(days);
    const pages = sites.map(({ state }) => state.pageCount);
    return {
      month: of,
      ai: aiFigures(uses),
      vectorDb: {
        totalCollections: pages.filter((count) => count > 0).length,
        totalDocuments: pages.reduce((sum, count) => sum + count, 0),
      },
      searches: { total: searches, chat: chats },
    };
  } catch (cause) {
    if (!isOutage(cause)) throw cause;
    const message = 'The figures of this month cannot be read for now. Try again in a few seconds.';
    throw new AppError('usage_unavailable', message, { cause });
  }
}

function aiFigures(uses: Awaited<ReturnType<typeof readAiUseByDay>>) {
  const models = [...Map.groupBy(uses, ({ model }) => model)].map(([model, ofModel]) => ({
    model,
    requests: total(ofModel, 'requests'),
    inputTokens: total(ofModel, 'inputTokens'),
    outputTokens: total(ofModel, 'outputTokens'),
    estimatedCost: priceOf(model) === undefined ? null : costOf(ofModel),
  }));
  const days = [...Map.groupBy(uses, ({ day, kind }) => `${day} ${kind}`).values()].map((ofDay) => ({
    date: ofDay[0]?.day ?? '',
    kind: ofDay[0]?.kind ?? 'ingest',
    requests: total(ofDay, 'requests'),
    tokens: tokensOf(ofDay),
    savedTokens: total(ofDay, 'savedTokens'),
    estimatedCost: costOf(ofDay),
  }));
  const calls = (wanted: AiKind) => {
    const ofKind = uses.filter(({ kind }) => kind === wanted);
    return { requests: total(ofKind, 'requests'), tokens: tokensOf(ofKind) };
  };
  return {
    totalRequests: total(uses, 'requests'),
    totalInputTokens: total(uses, 'inputTokens'),
    totalOutputTokens: total(uses, 'outputTokens'),
    totalTokens: tokensOf(uses),
    savedTokens: total(uses, 'savedTokens'),
    estimatedCost: costOf(uses),
    ...(Object.fromEntries(AI_KINDS.map((kind) => [kind, calls(kind)])) as Record<AiKind, ReturnType<typeof calls>>),
    models,
    days,
  };
}

const total = (uses: readonly AiUse[], count: keyof AiCounts): number => uses.reduce((sum, use) => sum + use[count], 0);

/**
 * Rounds to six digits: a call may cost less than a thousandth of a cent, and sums of binary fractions are not round.
 */
const roundedCost = (cost: number): number => Math.round(cost * 1e6) / 1e6;

/** Returns the cost in USD, without models of unknown price. */
const costOf = (uses: readonly AiUse[]): number =>
  roundedCost(
    uses.reduce((sum, { model, inputTokens, outputTokens }) => {
      const { inputPerMillion = 0, outputPerMillion = 0 } = priceOf(model) ?? {};
      return sum + (inputTokens * inputPerMillion + outputTokens * outputPerMillion) / 1e6;
    }, 0),
  );
