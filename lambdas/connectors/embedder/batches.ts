import { batchesBySize } from '../../domain/batches.ts';

/** Below the limits of known servers for one request: 2,048 texts and 300,000 tokens. */
export const MAX_TEXTS = 128;
const MAX_CHARACTERS = 200_000;

/** The indexes of the texts, grouped by request. Blank texts are left out, because servers reject them. */
export function embeddingBatches(texts: readonly string[]): readonly (readonly number[])[] {
  const written = [...texts.entries()].filter(([, text]) => text.trim() !== '');
  const batches = batchesBySize(written, ([, text]) => text.length, { size: MAX_CHARACTERS, most: MAX_TEXTS });
  return batches.map((batch) => batch.map(([index]) => index));
}
