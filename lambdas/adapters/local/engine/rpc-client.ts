import { UnavailableError } from '../../../core/errors.ts';
import type { Call, Failure, Reply } from './protocol.ts';

/** Leaves the rest of the 5 s that the ports promise to a busy thread. */
export const CALL_LIMIT_MS = 4000;

/** Hands a call to the engine, which may have a reply on the spot. */
export type Post = (call: Call) => Reply | undefined;

type Pending = {
  readonly promise: Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
};

/** The calls of one thread that have no reply yet. None waits longer than `CALL_LIMIT_MS`. */
export class PendingCalls {
  readonly #post: Post;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ended: UnavailableError | undefined;

  constructor(post: Post) {
    this.#post = post;
  }

  /** Answers what the method answers. Rejects with a RangeError, an `UnavailableError`, or the method's fault as the cause. */
  async make(store: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = this.#post({ id, store, method, args, giveUpAt: Date.now() + CALL_LIMIT_MS });
    if (reply) return answerOf(reply);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      this.#pending.delete(id);
      reject(new UnavailableError(`The storage engine did not answer ${store}.${method} in time`));
    }, CALL_LIMIT_MS);
    this.#pending.set(id, { promise, resolve, reject, timer });
    return promise;
  }

  settle(reply: Reply): void {
    const call = this.#take(reply.id);
    if ('answer' in reply) call?.resolve(reply.answer);
    else call?.reject(errorOf(reply.failure));
  }

  /** No reply will come any more: this call and every later one fails. */
  end(error: UnavailableError): void {
    this.#ended ??= error;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(this.#ended);
  }

  /** Resolves when every call made so far has its reply, or has waited too long. */
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
  if (kind === 'unavailable') return new UnavailableError(`The local store cannot be used: ${message}`, { cause });
  return new Error(`The storage engine failed: ${message}`, { cause });
}
