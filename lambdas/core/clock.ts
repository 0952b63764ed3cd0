/** Epoch milliseconds. It is passed in, so that tests control time. */
export type Clock = () => number;

export const epochSeconds = (clock: Clock): number => Math.floor(clock() / 1000);
