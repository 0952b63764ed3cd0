/* What the engine and the threads that call it say to each other. */

/** A call as it is posted. After `giveUpAt`, in epoch milliseconds, its caller waits no longer. */
export type Call = {
  readonly id: number;
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly giveUpAt: number;
};

/** Why a call was not done: it went beyond a documented limit, the file cannot be used for now, or anything else. */
export type Failure = {
  readonly kind: 'limit' | 'unavailable' | 'fault';
  readonly message: string;
  readonly cause: unknown;
};

export type Reply = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: Failure });

/** To every client; `rung` are the queues in which something may have become visible. */
export type News = { readonly replies: readonly Reply[]; readonly rung: readonly string[] };

/** The same stores for whoever may be in another thread: every method answers a promise. */
export type Remote<Stores> = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: Stores[Store][Method] extends (...args: infer Args) => infer Answer
      ? (...args: Args) => Promise<Answer>
      : never;
  };
};
