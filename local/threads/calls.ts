import type { MessagePort } from 'node:worker_threads';
import { DamagedStoreError, StoreFullError, UnavailableError } from '../../lambdas/domain/errors.ts';

/* Messages between threads: calls of methods, such as the store's, and their replies. */

/** Stores whose methods another thread runs. An editor finds a method's definition from its call. */
export type Calls<Stores> = {
  readonly [Name in keyof Stores]: {
    readonly [Method in keyof Stores[Name]]: Stores[Name][Method] extends (...args: infer Args) => infer Answer
      ? (...args: Args) => Promise<Answer>
      : never;
  };
};

/**
 * A call of a method. After `deadline`, in the time of `monotonicMs`, the caller no longer waits and the call is
 * dropped.
 */
export type Call = {
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly deadline: number;
};

type Request = Call & { readonly id: number };
type Reply = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: Failure });
/** An error as a message, because a copied error would lose its class. */
type Failure = { readonly type: string; readonly message: string; readonly cause: unknown };

/** Returns milliseconds since a moment that is the same for all threads. Not affected by changes of the system time. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** The time for a call. The ports promise an answer within 5 s; the remaining second is for a busy thread. */
export const CALL_TIMEOUT_MS = 4000;

export const lateAnswer = ({ store, method }: Call): Error =>
  new UnavailableError(`${store}.${method} was not answered in time`);

/** Returns stores whose methods send calls. */
export function callsThrough<Stores extends object>(
  send: (call: Call) => Promise<unknown>,
  timeoutMs = CALL_TIMEOUT_MS,
): Calls<Stores> {
  const methodsOf = (store: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...args: readonly unknown[]) =>
            send({ store, method: String(method), args, deadline: monotonicMs() + timeoutMs }),
      },
    );
  return new Proxy({}, { get: (_, store) => methodsOf(String(store)) }) as Calls<Stores>;
}

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

/** Runs a call and returns its answer. */
export function answerOf(stores: object, { store, method, args }: Call): unknown {
  const run = (stores as Methods)[store]?.[method];
  if (run === undefined) throw new TypeError(`There is no ${store}.${method}`);
  return run(...args);
}

/** Runs the calls that arrive at a port. */
export function answerCalls(port: MessagePort, answer: (call: Call) => Promise<unknown>): void {
  port.on('message', async ({ id, ...call }: Request) => {
    const reply = await answer(call).then(
      (answer): Reply => ({ id, answer }),
      (error: Error): Reply => ({ id, failure: failureOf(error) }),
    );
    port.postMessage(reply);
  });
}

const CLASSES: Readonly<Record<string, new (message: string, options: ErrorOptions) => Error>> = {
  RangeError,
  UnavailableError,
  StoreFullError,
  DamagedStoreError,
};

const failureOf = ({ constructor: { name }, message, cause }: Error): Failure => ({ type: name, message, cause });
const errorOf = ({ type, message, cause }: Failure): Error => new (CLASSES[type] ?? Error)(message, { cause });

/** Sends the calls of one thread through a port. All fail once the other thread has ended. */
export class ThreadCaller {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #hasEnded = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (reply: Reply) => this.#settle(reply));
    port.on('close', () => {
      this.#hasEnded = true;
      for (const { reject } of this.#pending.values()) reject(ended());
    });
  }

  readonly call = async (call: Call): Promise<unknown> => {
    if (this.#hasEnded) throw ended();
    const id = ++this.#lastId;
    this.#port.postMessage({ ...call, id } satisfies Request);
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    const timer = setTimeout(() => pending.reject(lateAnswer(call)), call.deadline - monotonicMs());
    return pending.promise.finally(() => {
      clearTimeout(timer);
      this.#pending.delete(id);
    });
  };

  /** Waits for the answers to the calls made so far. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map(({ promise }) => promise));
    this.#port.close();
  }

  #settle(reply: Reply): void {
    const call = this.#pending.get(reply.id);
    if ('answer' in reply) call?.resolve(reply.answer);
    else call?.reject(errorOf(reply.failure));
  }
}

const ended = (): Error => new UnavailableError('The thread that was called has ended');
