import { beforeEach, describe, expect, it } from '@jest/globals';
import { siteScope } from '../../../lambdas/domain/answers/chat-scope.ts';
import { addTurn, openSession } from '../../../lambdas/domain/answers/session.ts';
import { IngestSite } from '../../support/ingest-site.ts';
import { table } from '../../support/memory/stores.ts';

const turn = (question: string) => ({ question, standalone: question, answer: 'An answer.' });

describe('a chat session', () => {
  let now = Date.now();
  let ids = 0;
  let scope: ReturnType<typeof siteScope>;
  const deps = { table, clock: () => now, newSessionId: () => `session-${++ids}` };

  beforeEach(async () => {
    scope = siteScope(await (await IngestSite.open()).record());
  });

  const questions = async (sessionId: string) =>
    (await openSession(sessionId, scope, deps))?.turns.map(({ question }) => question);

  it('ends when its time is over, which each turn extends', async () => {
    const session = { sessionId: 'a', turns: [] };
    await addTurn(session, turn('first'), scope, deps);
    now += 29 * 60_000;
    await addTurn(session, turn('second'), scope, deps);
    now += 29 * 60_000;
    expect(await questions('a')).toEqual(['first', 'second']);
    now += 2 * 60_000;
    expect((await openSession('a', scope, deps))?.sessionId).toBe(`session-${ids}`);
  });

  it('loses no turn of messages at the same time', async () => {
    const session = { sessionId: 'b', turns: [] };
    await Promise.all(['1', '2', '3', '4', '5'].map((question) => addTurn(session, turn(question), scope, deps)));
    expect((await questions('b'))?.toSorted()).toEqual(['1', '2', '3', '4', '5']);
  });

  it('is bound by tokens: the oldest turns are forgotten', async () => {
    const session = { sessionId: 'c', turns: [] };
    const long = 'word '.repeat(700);
    for (const question of [`1 ${long}`, `2 ${long}`, `3 ${long}`]) await addTurn(session, turn(question), scope, deps);
    expect((await questions('c'))?.map((question) => question[0])).toEqual(['2', '3']);
  });

  it('is stored under its hash, which its site names', async () => {
    await addTurn({ sessionId: 'secret-id', turns: [] }, turn('q'), scope, deps);
    const { items } = await table.query(scope.key, { prefix: 'CHAT#', limit: 10 });
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain('secret-id');
    const session = await table.get({ pk: items[0]?.sk ?? '', sk: 'SESSION' });
    expect(session).toMatchObject({ scope: scope.key });
  });
});
