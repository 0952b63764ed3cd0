/** A mutex. It resolves when the caller has the turn, to a function that ends it; calling that again has no effect. */
export type Mutex = () => Promise<() => void>;

export function mutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const turn = Promise.withResolvers<void>();
    const before = last;
    last = turn.promise;
    await before;
    return turn.resolve;
  };
}
