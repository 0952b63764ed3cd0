/* The messages between the storage engine and the threads that call it. */

export type Call = {
  readonly id: number;
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** By `monotonicMs`. Later than this the caller no longer waits, and the call is dropped. */
  readonly deadline: number;
};

/** Milliseconds since some moment that is the same for all threads. It does not follow changes of the system time. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/**
 * `limit`: beyond a documented limit. `full`: the disk is. `unavailable`: the file cannot be used for now. `damaged`:
 * it can never be. `fault`: any other error.
 */
export type Failure = {
  readonly kind: 'limit' | 'full' | 'unavailable' | 'damaged' | 'fault';
  readonly message: string;
  readonly cause: unknown;
};

export type Reply = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: Failure });

/** `notified`: the queues in which a message may have become visible. */
export type EngineMessage = { readonly replies: readonly Reply[]; readonly notified: readonly string[] };

export type Remote<Stores> = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: Stores[Store][Method] extends (...args: infer Args) => infer Answer
      ? (...args: Args) => Promise<Answer>
      : never;
  };
};
