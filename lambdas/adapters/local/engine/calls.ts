import { UnavailableError } from '../../../core/errors.ts';
import { errorOf, type Failure } from './failure.ts';
import { notify } from './notifier.ts';
import type { Stores } from './stores.ts';

/* All that threads say to each other about the store: calls of its methods, and their replies. */

export type Call = {
  readonly id: number;
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** By `monotonicMs`. Later than this the caller no longer waits, and the call is dropped. */
  readonly deadline: number;
};

export type Reply = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: Failure });

/** `notified`: the queues in which a message may have become visible. */
export type EngineMessage = { readonly replies: readonly Reply[]; readonly notified: readonly string[] };

/** Milliseconds since some moment that is the same for all threads. It does not follow changes of the system time. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** The ports promise an answer within 5 s. The rest is left for a busy thread. */
const CALL_TIMEOUT_MS = 4000;

type Remote = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: Stores[Store][Method] extends (...args: infer Args) => infer Answer
      ? (...args: Args) => Promise<Answer>
      : never;
  };
};

type Pending = {
  readonly promise: Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

/** Makes the calls of one thread. Each fails after `CALL_TIMEOUT_MS`. */
export class Caller {
  /** Turns any method into a call. It rejects with a RangeError, an `UnavailableError`, or an error with a cause. */
  readonly stores: Remote;
  readonly #post: (call: Call) => Reply | undefined;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ended: UnavailableError | undefined;

  /** `post` returns the reply if it is known at once. */
  constructor(post: (call: Call) => Reply | undefined) {
    this.#post = post;
    const byName = <T>(make: (name: string) => T) =>
      new Proxy<Record<string, T>>({}, { get: (_, name) => make(String(name)) });
    const methods = byName((store) =>
      byName(
        (method) =>
          (...args: readonly unknown[]) =>
            this.#call(store, method, args),
      ),
    );
    this.stores = methods as unknown as Remote;
  }

  receive({ replies, notified }: EngineMessage): void {
    for (const reply of replies) {
      const call = this.#take(reply.id);
      if ('answer' in reply) call?.resolve(reply.answer);
      else call?.reject(errorOf(reply.failure));
    }
    for (const queue of notified) notify(queue);
  }

  /** Every pending and later call fails. */
  end(error: UnavailableError): void {
    this.#ended ??= error;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(this.#ended);
  }

  /** Resolves when the calls made so far are answered. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map(({ promise }) => promise));
  }

  async #call(store: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = this.#post({ id, store, method, args, deadline: monotonicMs() + CALL_TIMEOUT_MS });
    if (reply && 'answer' in reply) return reply.answer;
    if (reply) throw errorOf(reply.failure);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      this.#pending.delete(id);
      reject(new UnavailableError(`The storage engine did not answer ${store}.${method} in time`));
    }, CALL_TIMEOUT_MS);
    this.#pending.set(id, { promise, resolve, reject, timer });
    return promise;
  }

  #take(id: number): Pending | undefined {
    const call = this.#pending.get(id);
    clearTimeout(call?.timer);
    this.#pending.delete(id);
    return call;
  }
}
