import { beforeEach, describe, expect, it } from '@jest/globals';
import { createOrganisation } from '../../../../lambdas/domain/sites/access/organisation.ts';
import { QUOTAS } from '../../../../lambdas/domain/sites/access/plan.ts';
import { isWithinAiBudget, isWithinChatBudget } from '../../../../lambdas/domain/sites/usage/ai-budget.ts';
import { recordAiUse } from '../../../../lambdas/domain/sites/usage/ai-usage.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { table } from '../../../support/memory/stores.ts';

const MOST = QUOTAS.pro.aiTokensPerMonth;
const DAY_MS = 86_400_000;

describe('the tokens of a month', () => {
  let orgId: string;
  let now: number;
  const deps = { table, clock: () => now };
  const use = (kind: 'chat' | 'ingest', inputTokens: number) =>
    recordAiUse(orgId, { kind, model: 'm', inputTokens, requests: 1 }, deps);
  const isLeft = async () => [await isWithinAiBudget(orgId, deps), await isWithinChatBudget(orgId, deps)];

  beforeEach(async () => {
    orgId = newId();
    now = Date.UTC(2030, 0, 10, 12);
    await createOrganisation({ orgId, name: 'Test', plan: 'pro' }, deps);
  });

  it('chats of one day use at most a tenth of the tokens of a month', async () => {
    await use('chat', MOST / 10 - 1);
    expect(await isLeft()).toEqual([true, true]);
    await use('chat', 1);
    expect(await isLeft()).toEqual([true, false]);
    now += DAY_MS;
    expect(await isLeft()).toEqual([true, true]);
  });

  it('pages can use all tokens of a month, after which chats have none', async () => {
    await use('ingest', MOST - 1);
    expect(await isLeft()).toEqual([true, true]);
    await use('ingest', 1);
    expect(await isLeft()).toEqual([false, false]);
  });
});
