import * as z from 'zod';
import { type Context, conditionsHold } from './conditions.ts';
import { matchesWildcard } from './wildcard.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const Principal = z.union([
  z.literal('*'),
  z.strictObject({ AWS: oneOrMore.optional(), Service: oneOrMore.optional() }),
]);

/** Strict, so that a kind of statement that is not evaluated (`NotAction`, `NotResource`) fails. */
export const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: Principal.optional(),
  Action: oneOrMore,
  Resource: oneOrMore.optional(),
  Condition: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))).optional(),
});
export type Statement = z.infer<typeof Statement>;

export const PolicyDocument = z.object({ Version: z.literal('2012-10-17'), Statement: z.array(Statement) });

export type Request = {
  /** `service:Action` */
  readonly action: string;
  readonly resource: string;
  readonly context: Context;
};

/** The caller: a role, by its ARN, or a service of AWS, by its name. */
export type Caller = { readonly role: string } | { readonly service: string };

/** The statements that decide about a request: they match it, and their conditions hold. */
export const matching = (statements: readonly Statement[], request: Request): readonly Statement[] =>
  statements.filter(
    ({ Action, Resource, Condition }) =>
      Action.some((pattern) => matchesWildcard(pattern, request.action)) &&
      (Resource === undefined || Resource.some((pattern) => matchesWildcard(pattern, request.resource))) &&
      conditionsHold(Condition, request.context),
  );

/**
 * The statements of a resource's policy that are about the caller. The account as principal leaves the decision to its
 * roles.
 */
export function aboutCaller(statements: readonly Statement[], caller: Caller): readonly Statement[] {
  return statements.filter(({ Principal: principal, Effect }) => {
    if (principal === undefined) throw new Error('A statement of a resource has no principal');
    if (principal === '*') return true;
    if ('service' in caller) return principal.Service?.includes(caller.service) || isEveryone(principal.AWS);
    if (Effect === 'Deny') return isEveryone(principal.AWS);
    return principal.AWS?.includes(caller.role) ?? false;
  });
}

const isEveryone = (principals: readonly string[] = []): boolean => principals.includes('*');

/** A deny wins; without an allow a request is denied. */
export const isAllowed = (decisive: readonly Statement[]): boolean =>
  decisive.some(({ Effect }) => Effect === 'Allow') && !decisive.some(({ Effect }) => Effect === 'Deny');
