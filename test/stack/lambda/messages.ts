/* Messages between the process of a function and the process that invokes it. */

export type Invocation = {
  readonly id: string;
  readonly event: unknown;
  readonly deadline: number;
  readonly arn: string;
  readonly clockOffsetMs: number;
};

export type ToFunction = { readonly invoke: Invocation } | { readonly clockOffsetMs: number };

/** A handler that streams sends its parts before its result. */
export type FromFunction =
  | { readonly ready: true }
  | { readonly part: Uint8Array }
  | { readonly result: unknown }
  | { readonly error: string };
