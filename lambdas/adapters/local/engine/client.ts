import type { UnavailableError } from '../../../core/errors.ts';
import { notify } from './notifier.ts';
import type { EngineMessage, Remote } from './protocol.ts';
import { PendingCalls, type Post } from './rpc-client.ts';
import type { Stores } from './stores.ts';

/** The storage engine as one thread of the process uses it. */
export type Engine = { readonly call: Remote<Stores>; readonly close: () => Promise<void> };

export type Client = {
  readonly call: Remote<Stores>;
  readonly died: Promise<UnavailableError>;
  readonly receive: (message: EngineMessage) => void;
  /** The connection has ended: every pending and later call fails. */
  readonly end: (error: UnavailableError) => void;
  /** Resolves when the calls made so far are answered. After it, the end of the connection does not settle `died`. */
  readonly leave: () => Promise<void>;
};

export function engineClient(post: Post): Client {
  const pending = new PendingCalls(post);
  const died = Promise.withResolvers<UnavailableError>();
  let isLeaving = false;
  return {
    call: remoteStores(pending),
    died: died.promise,
    receive({ replies, notified }) {
      for (const reply of replies) pending.settle(reply);
      for (const queue of notified) notify(queue);
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

/** Turns any property access into a call. The type restricts it to the stores' methods. */
function remoteStores(pending: PendingCalls): Remote<Stores> {
  const byName = <T>(make: (name: string) => T) =>
    new Proxy<Record<string, T>>({}, { get: (_, name) => make(String(name)) });
  const stores = byName((store) =>
    byName(
      (method) =>
        (...args: readonly unknown[]) =>
          pending.call(store, method, args),
    ),
  );
  return stores as unknown as Remote<Stores>;
}
