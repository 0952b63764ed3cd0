import { useSyncExternalStore } from 'react';

export type Value<T> = {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (changed: () => void) => () => void;
};

/** A value outside of React that components can read by `useValue`. */
export function createValue<T>(first: T): Value<T> {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    get: () => current,
    set: (next) => {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

export const useValue = <T>({ get, subscribe }: Value<T>): T => useSyncExternalStore(subscribe, get);
