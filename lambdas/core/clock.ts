/** Epoch milliseconds. The domain reads no clock of its own, so that a test can turn it. */
export type Clock = () => number;

export const epochSeconds = (clock: Clock): number => Math.floor(clock() / 1000);
