import type { ErrorCode } from '../domain/errors.ts';
import type { Example } from '../routes/examples/example.ts';
import { MarkdownText } from '../routes/pages.ts';
import type { Access, Route } from '../routes/route.ts';
import { defined } from '../text/defined.ts';
import { ErrorBody, RateLimitedBody } from './error-bodies.ts';
import { ERROR_MEANINGS } from './error-meanings.ts';
import { HTTP_STATUS } from './http-errors.ts';
import { type JsonSchema, type SchemaWriter, sortedByName } from './openapi-schemas.ts';

type Reference = { readonly $ref: string };

export type Answer = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
};

export type Content = { readonly schema: JsonSchema; readonly example?: unknown };

export const contentOf = (schema: JsonSchema, example: unknown): Content => ({
  schema,
  ...defined({ example }),
});

const markdownIn = ({ response }: Example): unknown =>
  typeof response === 'object' && response !== null && 'markdown' in response ? response.markdown : undefined;

const header = (description: string, type: 'integer' | 'string' = 'integer') => ({ description, schema: { type } });

export const HEADERS = {
  'X-RateLimit-Limit': header('requests allowed per minute: of the limit with the fewest left'),
  'X-RateLimit-Remaining': header('requests left in this minute'),
  'X-RateLimit-Reset': header('when the minute ends, in epoch seconds'),
  'Retry-After': header('seconds to wait before the next attempt'),
  'X-Request-Id': header('the id of the request, also in the logs', 'string'),
} as const;

const refTo = (name: keyof typeof HEADERS): Reference => ({ $ref: `#/components/headers/${name}` });

const COMMON_HEADERS = {
  'X-Request-Id': refTo('X-Request-Id'),
  'X-RateLimit-Limit': refTo('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': refTo('X-RateLimit-Remaining'),
  'X-RateLimit-Reset': refTo('X-RateLimit-Reset'),
};

const explained = (code: ErrorCode): string =>
  `\`${code}\`: ${ERROR_MEANINGS[code].meaning} ${ERROR_MEANINGS[code].remedy}`;

const accessErrors = (access: Access): readonly ErrorCode[] =>
  'feature' in access
    ? ['origin_not_allowed', 'feature_disabled']
    : [
        'unauthorized',
        ...(access.role === 'member' ? [] : (['forbidden_role'] as const)),
        ...(access.plan ? [access.plan.code] : []),
      ];

/** Returns every error code of an operation under this path. 405 belongs to no operation. */
function errorCodesOf(route: Route, path: string): ReadonlySet<ErrorCode> {
  const hasParams = path.includes('{');
  return new Set<ErrorCode>([
    ...(hasParams || route.query || route.body || 'role' in route.access ? (['invalid_request'] as const) : []),
    ...(route.body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...accessErrors(route.access),
    ...(hasParams ? (['not_found'] as const) : []),
    ...(route.errors ?? []),
    ...(['rate_limited', 'internal_error', 'upstream_unavailable'] as const),
  ]);
}

/**
 * The description of a streamed answer. The schema of the stream describes the data of its last event: with `string`
 * there, clients that unite the schemas of all media types would have an answer that is an object or a string.
 */
const STREAM =
  'Success. As a stream: the events `sources` and `token`, then `done` with the whole answer or `error`, for example';

export type ResponseWriter = {
  readonly write: (route: Route, path: string, example: Example) => Readonly<Record<string, Answer | Reference>>;
  /** One component per set of codes that share a status. */
  readonly components: () => Readonly<Record<string, Answer>>;
};

export function responseWriter(schemas: SchemaWriter): ResponseWriter {
  const errors = new Map<string, Answer>();

  const success = ({ response, streams, alsoMarkdown, isText }: Route, example: Example): Answer => ({
    description: streams ? `${STREAM}:\n\n\`\`\`text\n${example.events?.trimEnd()}\n\`\`\`` : 'Success',
    headers: COMMON_HEADERS,
    ...(response && {
      content: {
        [isText ? 'text/plain' : 'application/json']: contentOf(schemas.write(response), example.response),
        ...(alsoMarkdown && { 'text/markdown': contentOf(schemas.write(MarkdownText), markdownIn(example)) }),
        ...(streams && { 'text/event-stream': contentOf(schemas.write(response), example.response) }),
      },
    }),
  });

  const errorResponse = (codes: readonly ErrorCode[]): Reference => {
    const name = codes.join('-');
    const limited = codes.includes('rate_limited');
    errors.set(name, {
      description: codes.map(explained).join(' '),
      headers: { ...COMMON_HEADERS, ...(limited && { 'Retry-After': refTo('Retry-After') }) },
      content: { 'application/json': { schema: schemas.write(limited ? RateLimitedBody : ErrorBody) } },
    });
    return { $ref: `#/components/responses/${name}` };
  };

  return {
    write: (route, path, example) => {
      const possible = errorCodesOf(route, path);
      const responses: Record<string, Answer | Reference> = { [route.status]: success(route, example) };
      const ordered = Object.keys(HTTP_STATUS) as readonly ErrorCode[];
      const grouped = Map.groupBy(
        ordered.filter((code) => possible.has(code)),
        (code) => HTTP_STATUS[code],
      );
      for (const [status, codes] of grouped) responses[status] = errorResponse(codes);
      return responses;
    },
    components: () => sortedByName(errors),
  };
}
