import * as z from 'zod';
import { UnavailableError } from '../../../core/errors.ts';
import { cut } from '../../../core/language/folding.ts';
import type { Engine } from './client.ts';
import type { ScopedQuery } from './scoped-queries.ts';

/** An index behind an engine; the name is an alias, which the engine never makes by itself. */
export type EngineIndex = { readonly engine: Engine; readonly name: string };

const LONGEST_MESSAGE = 300;

type EngineAnswer = Readonly<Record<string, unknown>>;

const Answers = z.object({ responses: z.array(z.looseObject({})) });
const Cause = z.object({ type: z.string(), reason: z.string().nullish() });
const Fault = Cause.extend({ root_cause: z.array(Cause).optional() });

/** Asks all queries in one round trip; the answers stand in their order. Throws `UnavailableError` unless each is whole. */
export async function searchAll(
  { engine, name }: EngineIndex,
  queries: readonly ScopedQuery[],
): Promise<readonly EngineAnswer[]> {
  if (queries.length === 0) return [];
  const lines = queries.flatMap(({ routing, body }) => [
    { index: name, routing, allow_partial_search_results: false },
    body,
  ]);
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const answer = await engine.send({ method: 'POST', path: '/_msearch', body });
  const { responses } = parsed(Answers, answer);
  if (responses.length !== queries.length) throw new UnavailableError('The search engine answered other queries');
  for (const response of responses) {
    refuseFault(response);
    if (response.timed_out === true) throw new UnavailableError('The search engine did not search all in time');
  }
  return responses;
}

/** The same for groups of queries: all of them in one round trip, their answers in groups. */
export async function searchEach(
  index: EngineIndex,
  groups: readonly (readonly ScopedQuery[])[],
): Promise<readonly (readonly EngineAnswer[])[]> {
  const answers = await searchAll(index, groups.flat());
  let end = 0;
  return groups.map(({ length }) => {
    end += length;
    return answers.slice(end - length, end);
  });
}

/** What is answered with a status of its own within a request that as a whole went well. */
export function refuseFault({ error, status }: EngineAnswer): void {
  if (error === undefined || error === null) return;
  const { data: fault } = Fault.safeParse(error);
  const { type = 'unknown', reason = '' } = fault?.root_cause?.[0] ?? fault ?? {};
  const what = cut(`${type}: ${reason}`, LONGEST_MESSAGE);
  if (status === 400) throw new Error(`The search engine refused a request: ${what}`);
  throw new UnavailableError(`The search engine cannot answer: ${what}`);
}

/** An answer of the expected shape; any other is no answer. */
export function parsed<T extends z.ZodType>(schema: T, answer: unknown): z.infer<T> {
  const { data, success, error } = schema.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  const where = issue?.path.join('.');
  throw new UnavailableError(`The search engine answered what cannot be read: ${where} ${issue?.message}`);
}
