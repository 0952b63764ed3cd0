import { DamagedStoreError, StoreFullError, UnavailableError } from '../../../core/errors.ts';
import { FILE_NAME } from './database.ts';
import { damagedFile } from './open-failure.ts';
import { type Call, type Failure, monotonicMs, type Reply } from './protocol.ts';

/** The ports promise an answer within 5 s. The rest is left for a busy thread. */
export const CALL_TIMEOUT_MS = 4000;

/** Sends a call to the engine. Returns the reply if the engine is in this thread and answers at once. */
export type Post = (call: Call) => Reply | undefined;

type Pending = {
  readonly promise: Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

/** The unanswered calls of one thread. Each fails after `CALL_TIMEOUT_MS`. */
export class PendingCalls {
  readonly #post: Post;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ended: UnavailableError | undefined;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Rejects with a RangeError, an `UnavailableError`, or an error whose cause is the method's. */
  async call(store: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = this.#post({ id, store, method, args, deadline: monotonicMs() + CALL_TIMEOUT_MS });
    if (reply) return answerOf(reply);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      this.#pending.delete(id);
      reject(new UnavailableError(`The storage engine did not answer ${store}.${method} in time`));
    }, CALL_TIMEOUT_MS);
    this.#pending.set(id, { promise, resolve, reject, timer });
    return promise;
  }

  settle(reply: Reply): void {
    const call = this.#take(reply.id);
    if ('answer' in reply) call?.resolve(reply.answer);
    else call?.reject(errorOf(reply.failure));
  }

  end(error: UnavailableError): void {
    this.#ended ??= error;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(this.#ended);
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map(({ promise }) => promise));
  }

  #take(id: number): Pending | undefined {
    const call = this.#pending.get(id);
    clearTimeout(call?.timer);
    this.#pending.delete(id);
    return call;
  }
}

function answerOf(reply: Reply): unknown {
  if ('answer' in reply) return reply.answer;
  throw errorOf(reply.failure);
}

function errorOf({ kind, message, cause }: Failure): Error {
  if (kind === 'limit') return new RangeError(message, { cause });
  if (kind === 'full') return new StoreFullError('The disk of the data folder is full', { cause });
  if (kind === 'damaged') return new DamagedStoreError(damagedFile(FILE_NAME).message, { cause });
  if (kind === 'unavailable') return new UnavailableError(`The local store cannot be used: ${message}`, { cause });
  return new Error(`The storage engine failed: ${message}`, { cause });
}
