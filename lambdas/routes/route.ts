import type * as z from 'zod';
import type { Plan } from '../core/access/plan.ts';
import type { Role } from '../core/access/role.ts';
import type { ErrorCode } from '../core/errors.ts';

export type { Plan, Role };

/** Who may call: a visitor whose origin the site or group admits, or the holder of a key with at least this role. */
export type Access =
  | { readonly gate: 'search' | 'chat'; readonly of: 'site' | 'group' }
  | {
      readonly role: Role;
      /** The least plan, and the refusal of a lesser one in the words of the contract. */
      readonly plan?: { readonly atLeast: Plan; readonly code: ErrorCode; readonly message: string };
    };

/**
 * One endpoint. Its key in the table is the name of its file in `api/`, its operationId and its construct's id.
 * Paths are relative to the surface: `/api` for holders of keys, `/v1` for visitors.
 */
export type Route = {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly access: Access;
  readonly params: z.ZodObject;
  /** Its values arrive as strings. */
  readonly query?: z.ZodObject;
  /** A body is required unless the schema admits its absence. */
  readonly body?: z.ZodType;
  readonly status: 200 | 201 | 202 | 204;
  readonly response?: z.ZodType;
  /** Also answers as server-sent events, to a caller that accepts them. */
  readonly streams?: true;
  /** The refusals of its own, beside those that follow from its access and its input (`refusalsOf`). */
  readonly errors?: readonly ErrorCode[];
  /** Declared but not served yet: it checks key and input, then answers 501 `not_built`. */
  readonly pending?: true;
};

export const surfaceOf = (route: Route): '/api' | '/v1' => ('gate' in route.access ? '/v1' : '/api');
