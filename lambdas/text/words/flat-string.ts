/** V8 copies shorter slices anyway. */
const SLICED_FROM = 13;

/** A copy of a slice: V8 keeps the whole text in memory as long as a longer slice of it lives. */
export const flatString = (slice: string): string =>
  slice.length < SLICED_FROM ? slice : Buffer.from(slice, 'utf16le').toString('utf16le');
