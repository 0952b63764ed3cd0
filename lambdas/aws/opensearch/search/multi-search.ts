import * as z from 'zod';
import { UnavailableError } from '../../../domain/errors.ts';
import { cut } from '../../../text/words/folding.ts';
import type { OpenSearchClient } from '../client.ts';
import type { ScopedQuery } from './scoped-queries.ts';

/** An index, named by its alias: OpenSearch creates a missing index by itself, but never a missing alias. */
export type IndexRef = { readonly client: OpenSearchClient; readonly name: string };

const MAX_MESSAGE_LENGTH = 300;

export type MultiSearchAnswer = Readonly<Record<string, unknown>>;

const Answers = z.object({ responses: z.array(z.looseObject({})) });
const Cause = z.object({ type: z.string(), reason: z.string().nullish() });
const SearchError = Cause.extend({ root_cause: z.array(Cause).optional() });

/**
 * Sends the queries in one round trip and returns the answers in their order. Throws `UnavailableError` if one answer
 * is incomplete.
 */
export async function multiSearch(
  { client, name }: IndexRef,
  queries: readonly ScopedQuery[],
): Promise<readonly MultiSearchAnswer[]> {
  if (queries.length === 0) return [];
  const lines = queries.flatMap(({ routing, body }) => [
    { index: name, routing, allow_partial_search_results: false },
    body,
  ]);
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const answer = await client.send({ method: 'POST', path: '/_msearch', body });
  const { responses } = parseAnswer(Answers, answer);
  if (responses.length !== queries.length) throw new UnavailableError('OpenSearch answered another number of queries');
  for (const response of responses) {
    throwIfFailed(response);
    if (response.timed_out === true) throw new UnavailableError('OpenSearch ran out of time during a search');
  }
  return responses;
}

/** Throws if one item of a successful request has failed. */
export function throwIfFailed({ error, status }: MultiSearchAnswer): void {
  if (error === undefined || error === null) return;
  const { data: parsed } = SearchError.safeParse(error);
  const { type = 'unknown', reason = '' } = parsed?.root_cause?.[0] ?? parsed ?? {};
  const message = cut(`${type}: ${reason}`, MAX_MESSAGE_LENGTH);
  if (status === 400) throw new Error(`OpenSearch rejected a request: ${message}`);
  throw new UnavailableError(`OpenSearch cannot answer: ${message}`);
}

export function parseAnswer<T extends z.ZodType>(schema: T, answer: unknown): z.infer<T> {
  const { data, success, error } = schema.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  const where = issue?.path.join('.');
  throw new UnavailableError(`OpenSearch's answer has an unexpected shape at ${where}: ${issue?.message}`);
}
