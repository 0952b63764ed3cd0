import { createHash } from 'node:crypto';
import { countTokens } from '../../text/chunking/count-tokens.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { retryWhenOvertaken } from '../optimistic-retry.ts';
import type { Key, Table } from '../ports/table.ts';
import type { ChatScope } from './chat-scope.ts';

/** A question with its answer. `standalone`: the question, rewritten or merged to be understood without the session. */
export type Turn = { readonly question: string; readonly standalone: string; readonly answer: string };

type SessionItem = { readonly scope: string; readonly version: number; readonly turns: readonly Turn[] };

export type Session = { readonly sessionId: string; readonly turns: readonly Turn[] };

/** Most turns in a session. Older ones are dropped. */
const MAX_TURNS = 20;
const MAX_TOKENS = 2_000;
const ATTEMPTS = 50;

type SessionDeps = { readonly table: Table; readonly clock: Clock };

/** Hashes the id under which a session is stored, so that a reader of the table cannot continue the session. */
const hashOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('hex');
const sessionKey = (hash: string): Key => ({ pk: SESSIONS + hash, sk: 'SESSION' });

/** Prefix of a session's partition key, and of the sort key of the pointer to it. */
export const SESSIONS = 'CHAT#';
/** Returns the key of a pointer to a session, in the partition of its site or group. Deletion follows the pointers. */
const pointerKey = (scope: string, hash: string): Key => ({ pk: scope, sk: SESSIONS + hash });

/**
 * Returns the session with this id, or a new one if the id is unknown, expired, or of another site or group. Returns
 * undefined if sessions are off.
 */
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

/** Adds a turn and extends the session. Concurrent turns are all kept. */
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

/** Returns the last turns within the bounds; always at least the last one. */
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
