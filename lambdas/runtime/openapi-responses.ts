import type { ErrorCode } from '../core/errors.ts';
import type { Access, Route } from '../routes/route.ts';
import { ErrorBody, RateLimitedBody } from './error-bodies.ts';
import { HTTP_STATUS } from './http-errors.ts';
import { type JsonSchema, type SchemaWriter, sortedByName } from './openapi-schemas.ts';

type Reference = { readonly $ref: string };

export type Answer = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
};

const header = (description: string) => ({ description, schema: { type: 'integer' } });

export const HEADERS = {
  'X-RateLimit-Limit': header('requests per minute'),
  'X-RateLimit-Remaining': header('requests left'),
  'X-RateLimit-Reset': header('epoch seconds'),
  'Retry-After': header('seconds'),
} as const;

const refer = (name: keyof typeof HEADERS): Reference => ({ $ref: `#/components/headers/${name}` });

/** On every answer. */
const RATE_HEADERS = {
  'X-RateLimit-Limit': refer('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': refer('X-RateLimit-Remaining'),
  'X-RateLimit-Reset': refer('X-RateLimit-Reset'),
};

const refusalsOfAccess = (access: Access): readonly ErrorCode[] =>
  'gate' in access
    ? ['origin_not_allowed', 'feature_disabled']
    : [
        'unauthorized',
        ...(access.role === 'member' ? [] : (['forbidden_role'] as const)),
        ...(access.plan ? [access.plan.code] : []),
      ];

/** Every code that an operation can answer with under this path: a 405 is never an operation's. */
export function refusalsOf(route: Route, path: string): ReadonlySet<ErrorCode> {
  const named = path.includes('{');
  return new Set<ErrorCode>([
    ...(named || route.query || route.body ? (['invalid_request'] as const) : []),
    ...(route.body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...refusalsOfAccess(route.access),
    ...(named ? (['not_found'] as const) : []),
    ...(route.errors ?? []),
    ...(route.pending ? (['not_built'] as const) : []),
    ...(['rate_limited', 'internal_error', 'upstream_unavailable'] as const),
  ]);
}

export type ResponseWriter = {
  readonly write: (route: Route, path: string) => Readonly<Record<string, Answer | Reference>>;
  /** One component for each set of codes under one status. */
  readonly components: () => Readonly<Record<string, Answer>>;
};

export function responseWriter(schemas: SchemaWriter): ResponseWriter {
  const refusals = new Map<string, Answer>();

  const success = ({ response, streams }: Route): Answer => ({
    description: streams ? 'Success; the stream has the events `sources`, `token`, `done` and `error`' : 'Success',
    headers: RATE_HEADERS,
    ...(response && {
      content: {
        'application/json': { schema: schemas.write(response) },
        ...(streams && { 'text/event-stream': { schema: { type: 'string' } } }),
      },
    }),
  });

  const refusal = (codes: readonly ErrorCode[]): Reference => {
    const name = codes.join('-');
    const limited = codes.includes('rate_limited');
    refusals.set(name, {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: { ...RATE_HEADERS, ...(limited && { 'Retry-After': refer('Retry-After') }) },
      content: { 'application/json': { schema: schemas.write(limited ? RateLimitedBody : ErrorBody) } },
    });
    return { $ref: `#/components/responses/${name}` };
  };

  return {
    write: (route, path) => {
      const codes = refusalsOf(route, path);
      const responses: Record<string, Answer | Reference> = { [route.status]: success(route) };
      const ordered = Object.keys(HTTP_STATUS) as readonly ErrorCode[];
      const grouped = Map.groupBy(
        ordered.filter((code) => codes.has(code)),
        (code) => HTTP_STATUS[code],
      );
      for (const [status, together] of grouped) responses[status] = refusal(together);
      return responses;
    },
    components: () => sortedByName(refusals),
  };
}
