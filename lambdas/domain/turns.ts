/** Gives a turn to one caller after the other. The answer ends the turn; calling it again does nothing. */
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
