import { createHash } from 'node:crypto';
import { countTokens } from '../../text/chunking/count-tokens.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { retryWhenOvertaken } from '../optimistic-retry.ts';
import type { Key, Table } from '../ports/table.ts';
import type { ChatScope } from './chat-scope.ts';

/** A question with its answer. `standalone` is the question as it is understood without those before it. */
export type Turn = { readonly question: string; readonly standalone: string; readonly answer: string };

type SessionItem = { readonly scope: string; readonly version: number; readonly turns: readonly Turn[] };

export type Session = { readonly sessionId: string; readonly turns: readonly Turn[] };

/** Turns that a session keeps; older ones are dropped. */
const MAX_TURNS = 20;
const MAX_TOKENS = 2_000;
const ATTEMPTS = 50;

type SessionDeps = { readonly table: Table; readonly clock: Clock };

/** The session is stored under its hash: who reads the table cannot continue it. */
const hashOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('hex');
const sessionKey = (hash: string): Key => ({ pk: SESSIONS + hash, sk: 'SESSION' });

/** The prefix of the pointers to a site's sessions. Each is the name of the session's partition. */
export const SESSIONS = 'CHAT#';
/** In the partition of the site or group, so that its sessions can be deleted. */
const pointerKey = (scope: string, hash: string): Key => ({ pk: scope, sk: SESSIONS + hash });

/** The session with this id, or a new one if it is unknown, has ended, or is of another site. */
export async function openSession(
  sessionId: string | undefined,
  scope: ChatScope,
  { table, clock, newSessionId }: SessionDeps & { readonly newSessionId: () => string },
): Promise<Session | undefined> {
  if (!scope.publicAccess.anonymousSessions) return undefined;
  const item = sessionId && (await table.get<SessionItem>(sessionKey(hashOf(sessionId))));
  if (sessionId && item && item.scope === scope.key && (item.expiresAt ?? 0) > epochSeconds(clock))
    return { sessionId, turns: item.turns };
  return { sessionId: newSessionId(), turns: [] };
}

/** Adds a turn and extends the session. Concurrent turns are added one after the other: none is lost. */
export async function addTurn(
  { sessionId }: Session,
  turn: Turn,
  { key: scope, publicAccess }: ChatScope,
  { table, clock }: SessionDeps,
): Promise<void> {
  const hash = hashOf(sessionId);
  await retryWhenOvertaken(ATTEMPTS, 'other messages keep changing the session: try again', async () => {
    const before = await table.get<SessionItem>(sessionKey(hash));
    const expiresAt = epochSeconds(clock) + 60 * publicAccess.sessionTTLMinutes;
    const turns = latest([...(before?.turns ?? []), turn]);
    const refused = await table.write([
      {
        put: { ...sessionKey(hash), scope, version: (before?.version ?? 0) + 1, turns, expiresAt },
        when: { equals: { version: before?.version ?? null } },
      },
      { put: { ...pointerKey(scope, hash), expiresAt } },
    ]);
    return refused.length === 0 ? true : undefined;
  });
}

/** The last turns that fit; the last one always does. */
function latest(turns: readonly Turn[]): readonly Turn[] {
  let tokens = 0;
  const kept: Turn[] = [];
  for (const turn of turns.toReversed().slice(0, MAX_TURNS)) {
    tokens += countTokens(turn.question) + countTokens(turn.answer);
    if (kept.length > 0 && tokens > MAX_TOKENS) break;
    kept.unshift(turn);
  }
  return kept;
}
