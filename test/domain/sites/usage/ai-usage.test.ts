import { describe, expect, it } from '@jest/globals';
import { readAiUse, recordAiUse, tokensOf } from '../../../../lambdas/domain/sites/usage/ai-usage.ts';
import { memoryTable } from '../../../support/memory/table.ts';

const table = memoryTable();

describe('the AI use of an organisation', () => {
  const deps = { table, clock: () => Date.UTC(2030, 0, 31, 23, 59) };

  it('AI use adds up concurrent calls by kind and model, within a month in UTC', async () => {
    const call = { kind: 'chat', model: 'org/small:1', requests: 1, inputTokens: 90, outputTokens: 10 } as const;
    await Promise.all(Array.from({ length: 20 }, () => recordAiUse('one', call, deps)));
    await recordAiUse('one', { kind: 'ingest', model: 'embed', requests: 1, inputTokens: 7 }, deps);
    await recordAiUse('one', { kind: 'chat', model: 'org/small:1', savedTokens: 100 }, deps);
    await recordAiUse('one', call, { ...deps, clock: () => Date.UTC(2030, 1, 1) });
    const uses = await readAiUse('one', '2030-01', table);
    expect(uses).toEqual([
      { kind: 'chat', model: 'org/small:1', requests: 20, inputTokens: 1800, outputTokens: 200, savedTokens: 100 },
      { kind: 'ingest', model: 'embed', requests: 1, inputTokens: 7, outputTokens: 0, savedTokens: 0 },
    ]);
    expect(tokensOf(uses)).toBe(2007);
  });

  it('AI use is empty for a month or an organisation without calls', async () => {
    expect(await readAiUse('one', '2029-12', table)).toEqual([]);
    expect(await readAiUse('other', '2030-01', table)).toEqual([]);
  });
});
