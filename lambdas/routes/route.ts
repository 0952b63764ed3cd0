import type * as z from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import type { Plan } from '../domain/sites/access/plan.ts';
import type { Role } from '../domain/sites/access/role.ts';
import type { Permissions } from '../permissions.ts';

export type { Plan, Role };

/** Who may call: a visitor from an origin that the site or group allows, or a caller with at least this role. */
export type Access =
  | { readonly feature: 'search' | 'chat' | 'mcp'; readonly scope: 'site' | 'group' }
  | {
      readonly role: Role;
      /** The lowest plan that includes the endpoint, and the error for a lower one in the words of the API contract. */
      readonly plan?: { readonly atLeast: Plan; readonly code: ErrorCode; readonly message: string };
    };

/**
 * One endpoint. `uses` is in addition to `ENDPOINT_USES`. Paths are relative to the surface: `/api` for callers with a
 * key, `/v1` for visitors.
 */
export type Route = Permissions & {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly access: Access;
  /**
   * `suggest` and `event` have separate limits instead of the limit of searches. `ingest` has a limit in addition to
   * the key's. `page` has the limit of searches, but is none.
   */
  readonly countsAs?: 'suggest' | 'event' | 'ingest' | 'page';
  readonly params: z.ZodObject;
  /** Values arrive as strings: use `intInUrl` and the like. */
  readonly query?: z.ZodObject;
  /** The body is required unless the schema is optional. */
  readonly body?: z.ZodType;
  readonly status: 200 | 201 | 202 | 204;
  readonly response?: z.ZodType;
  /** The answer is also available as server-sent events. */
  readonly streams?: true;
  /** The answer is also available as Markdown: its field `markdown` (runtime/text-answers.ts). */
  readonly alsoMarkdown?: true;
  /** The answer is a string, sent as plain text. */
  readonly isText?: true;
  /** Whether a call only reads, or removes what is not restored. @default `reads` for GET, `destroys` for DELETE */
  readonly effect?: 'reads' | 'destroys';
  /** Errors in addition to those that follow from access and input (`errorCodesOf`). */
  readonly errors?: readonly ErrorCode[];
};

/** The prefix of the second path family, which names the organisation. Any organisation but the key's is not found. */
export const IN_ORGANISATION = '/organisations/{orgId}/ai-search';

/** Returns all paths of a route. Paths below a site also exist below its organisation. */
export const pathsOf = ({ access, paths }: Pick<Route, 'access' | 'paths'>): readonly string[] => [
  ...paths,
  ...('feature' in access ? [] : paths.filter(isOfSites).map((path) => IN_ORGANISATION + path)),
];

const isOfSites = (path: string): boolean => path === '/sites' || path.startsWith('/sites/');

export const surfaceOf = (route: Route): '/api' | '/v1' => ('feature' in route.access ? '/v1' : '/api');

/** Tells whether a route answers a visitor's query from the index. */
export const isSearch = ({ access, countsAs }: Route): boolean =>
  'feature' in access && access.feature === 'search' && countsAs === undefined;

/** A caller with a key of at least this role. */
export const member = { role: 'member' } as const satisfies Access;
export const admin = { role: 'admin' } as const satisfies Access;
export const owner = { role: 'owner' } as const satisfies Access;
