/** A longer page is cut there: what follows is not searched. */
export const MAX_CHUNKS = 1_000;
