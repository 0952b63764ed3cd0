import type * as z from 'zod';
import { AppError } from '../domain/errors.ts';
import { InputIssues, inputMessage } from '../domain/input-messages.ts';
import type { Route } from '../routes/route.ts';
import type { ApiEvent } from './api-event.ts';
import { maxBodyBytes, readBody } from './body.ts';

/** Parses params, query and body. An error lists the issues of all three. */
export async function validInput(route: Route, event: ApiEvent): Promise<NonNullable<ApiEvent['input']>> {
  const issues = new InputIssues();
  const read = async (part: string, schema: z.ZodType | undefined, value: unknown): Promise<unknown> => {
    const result = await schema?.safeParseAsync(value, { error: inputMessage });
    if (!result || result.success) return result?.data;
    issues.add(part, result.error.issues);
  };
  const params = await read('params', route.params, event.pathParameters ?? {});
  const query = await read('query', route.query, event.queryStringParameters ?? {});
  if ('role' in route.access) {
    const given = Object.keys(event.queryStringParameters ?? {});
    issues.addUnknownParameters(given, Object.keys(route.query?.shape ?? {}));
  }
  const body = route.body && (await read('body', route.body, await givenBody(route.body, route, event)));
  if (issues.listed.length > 0) throw refusal(issues);
  return { params, query, body };
}

/** Reads the body. Some clients write an absent body as `null`, or as the empty list of PHP. */
async function givenBody(schema: z.ZodType, route: Route, event: ApiEvent): Promise<unknown> {
  const body = await readBody(event, maxBodyBytes(route, event.largestIngestion));
  const isEmpty = body === null || (Array.isArray(body) && body.length === 0);
  return isEmpty && schema.safeParse(undefined).success ? undefined : body;
}

/** Returns the error for invalid input. A malformed id counts as not found, like an unknown one. */
function refusal({ listed, more }: InputIssues): AppError {
  if (listed.every(({ path }) => path.startsWith('params.'))) return new AppError('not_found', 'Not found');
  const [first] = listed;
  const message = `Invalid request: ${first?.path} ${first?.message}`;
  return new AppError('invalid_request', message, { issues: listed, moreIssues: more });
}
