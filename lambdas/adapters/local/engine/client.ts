import type { UnavailableError } from '../../../core/errors.ts';
import { ring } from '../notifier.ts';
import type { News, Remote } from './protocol.ts';
import { PendingCalls, type Post } from './rpc-client.ts';
import type { Stores } from './stores.ts';

/** A thread's side of its connection with the engine. */
export type Client = {
  readonly call: Remote<Stores>;
  readonly died: Promise<UnavailableError>;
  readonly hear: (news: News) => void;
  /** No news will come any more: every call fails from now on. */
  readonly end: (error: UnavailableError) => void;
  /** Resolves when the calls made so far are done; the end of the connection is then no surprise. */
  readonly leave: () => Promise<void>;
};

export function engineClient(post: Post): Client {
  const pending = new PendingCalls(post);
  const died = Promise.withResolvers<UnavailableError>();
  let isLeaving = false;
  return {
    call: remote(pending),
    died: died.promise,
    hear({ replies, rung }) {
      for (const reply of replies) pending.settle(reply);
      for (const queue of rung) ring(queue);
    },
    end(error) {
      pending.end(error);
      if (!isLeaving) died.resolve(error);
    },
    leave() {
      isLeaving = true;
      return pending.settled();
    },
  };
}

/** Stands for the stores of the engine: the types allow what they have, and any name becomes a call. */
function remote(pending: PendingCalls): Remote<Stores> {
  const byName = <T>(make: (name: string) => T) =>
    new Proxy<Record<string, T>>({}, { get: (_, name) => make(String(name)) });
  const stores = byName((store) =>
    byName(
      (method) =>
        (...args: readonly unknown[]) =>
          pending.make(store, method, args),
    ),
  );
  return stores as unknown as Remote<Stores>;
}
