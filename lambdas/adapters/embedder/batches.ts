/** Below the limits of known servers for one request: 2,048 texts and 300,000 tokens. */
export const MAX_TEXTS = 128;
const MAX_CHARACTERS = 200_000;

/** The indexes of the texts, grouped by request. Blank texts are left out, because servers reject them. */
export function embeddingBatches(texts: readonly string[]): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let characters = 0;
  for (const [index, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const batch = batches.at(-1);
    if (batch && batch.length < MAX_TEXTS && characters + text.length <= MAX_CHARACTERS) {
      batch.push(index);
      characters += text.length;
    } else {
      batches.push([index]);
      characters = text.length;
    }
  }
  return batches;
}
