/** A mutex. It resolves when the caller has the turn, to a function that ends it; calling that again has no effect. */
export type Turns = () => Promise<() => void>;

export function turns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const turn = Promise.withResolvers<void>();
    const before = last;
    last = turn.promise;
    await before;
    return turn.resolve;
  };
}
