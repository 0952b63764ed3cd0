import { createHash } from 'node:crypto';
import { type Clock, epochSeconds } from '../clock.ts';
import type { Key, Table } from '../ports/table.ts';
import type { ChatScope } from './chat-scope.ts';
import type { Source } from './sources.ts';

const LIFETIME_SECONDS = 24 * 3600;

/** `answer` is empty if the model refused, or if the sources support none of its sentences. */
export type RememberedAnswer = {
  readonly answer: string;
  readonly end?: 'whole' | 'refused';
  readonly tokens: number;
};

/**
 * Returns the key of an answer to the first question of a session. The key covers all inputs: the site or group with
 * the versions of its sites' settings, the model, the question, and the sources with the versions of their pages.
 */
export function answerKey(scope: ChatScope, model: string, question: string, sources: readonly Source[]): Key {
  const settings = scope.sites.map(({ settings: { siteId, version } }) => `${siteId} ${version}`);
  const parts = [model, settings, question, sources.map(({ version, url }) => `${version} ${url}`)];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return { pk: scope.key, sk: `ANSWER#${hash}` };
}

export const readAnswer = (key: Key, table: Table): Promise<RememberedAnswer | undefined> =>
  table.get<RememberedAnswer>(key);

export function rememberAnswer(
  key: Key,
  answer: RememberedAnswer,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<void> {
  return table.putMany([{ ...key, ...answer, expiresAt: epochSeconds(clock) + LIFETIME_SECONDS }]);
}
