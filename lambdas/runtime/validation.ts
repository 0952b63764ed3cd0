import type * as z from 'zod';
import { AppError, type Issue } from '../core/errors.ts';
import type { Route } from '../routes/route.ts';
import type { ApiEvent } from './api-event.ts';
import { readBody } from './body.ts';

/** Params, query and body of a route as their schemas make them. Every issue of all three is collected before the request is refused. */
export async function validInput(route: Route, event: ApiEvent): Promise<NonNullable<ApiEvent['input']>> {
  const issues: Issue[] = [];
  const read = async (place: string, schema: z.ZodType | undefined, value: unknown): Promise<unknown> => {
    const result = await schema?.safeParseAsync(value);
    if (!result || result.success) return result?.data;
    issues.push(...result.error.issues.map(({ path, message }) => ({ path: [place, ...path].join('.'), message })));
  };
  const params = await read('params', route.params, event.pathParameters ?? {});
  const query = await read('query', route.query, event.queryStringParameters ?? {});
  const body = route.body === undefined ? undefined : await read('body', route.body, await readBody(event));
  if (issues.length > 0) throw refusal(issues);
  return { params, query, body };
}

/** An id that cannot be one names nothing: it is not found, like any other that is unknown. */
function refusal(issues: readonly Issue[]): AppError {
  if (issues.every(({ path }) => path.startsWith('params.'))) return new AppError('not_found', 'Not found');
  const [first] = issues;
  return new AppError('invalid_request', `Invalid request: ${first?.path} ${first?.message}`, { issues });
}
