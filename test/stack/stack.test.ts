import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ACTIONS_NOT_USED, STATEMENTS_NOT_USED } from './grants-not-used.ts';
import type { GivenStatement } from './iam/access.ts';
import { end } from './scenario/end.ts';
import { gates } from './scenario/gates.ts';
import { pages } from './scenario/pages.ts';
import { recovery } from './scenario/recovery.ts';
import { restore } from './scenario/restore.ts';
import { searchAndContent } from './scenario/search-and-content.ts';
import { sitesAndCrawls } from './scenario/sites-and-crawls.ts';
import { PROVIDER_KEY, versions } from './scenario/versions.ts';
import { PATIENCE_MS, World } from './scenario/world.ts';

const FOLDER = process.env.STACK_FOLDER ?? '';

/** Most tests wait for workers. */
jest.setTimeout(5 * PATIENCE_MS);

describe('the stack', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.make(FOLDER, { [PROVIDER_KEY.arn]: PROVIDER_KEY.text });
  });
  afterAll(() => world?.end());

  gates(() => world);
  pages(() => world);
  sitesAndCrawls(() => world);
  searchAndContent(() => world);
  recovery(() => world);
  versions(() => world, FOLDER);
  restore(() => world);
  end(() => world);

  it('has not called AWS without permission, and no function has failed', () => {
    expect(world.stack.proxy.calls).toBeGreaterThan(1000);
    expect(world.stack.faults()).toEqual([]);
  });

  it('has used every permission, or has a reason for it', () => {
    const { access } = world.stack;
    const unused = { actions: access.unusedActions(), statements: access.unusedStatements().map(lineOf) };
    expect({
      actions: withoutReason(unused.actions, ACTIONS_NOT_USED),
      statements: withoutReason(unused.statements, STATEMENTS_NOT_USED),
    }).toEqual({ actions: [], statements: [] });
    const stale = [
      ...ACTIONS_NOT_USED.filter(({ pattern }) => !unused.actions.some((line) => pattern.test(line))),
      ...STATEMENTS_NOT_USED.filter(({ pattern }) => !unused.statements.some((line) => pattern.test(line))),
    ];
    expect(stale.filter(({ isSometimesUsed }) => !isSometimesUsed)).toEqual([]);
  });
});

const withoutReason = (lines: readonly string[], reasons: typeof ACTIONS_NOT_USED): readonly string[] =>
  lines.filter((line) => !reasons.some(({ pattern }) => pattern.test(line)));

function lineOf({ role, Action, Resource = [], Condition = {} }: GivenStatement): string {
  const name = /-(\w+?)role[0-9A-F]{8}$/.exec(role)?.[1] ?? role;
  return [name, Action.join(), Resource.join(), Object.values(Condition).flatMap(Object.values).flat().join()].join(
    ' ',
  );
}
