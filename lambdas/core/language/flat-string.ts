const SLICED_FROM = 13;

/** A copy of a piece of a text: V8 keeps the whole text alive for a longer piece of it. */
export const flatString = (piece: string): string =>
  piece.length < SLICED_FROM ? piece : Buffer.from(piece, 'utf16le').toString('utf16le');
