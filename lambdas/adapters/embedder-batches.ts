/** Below what the known servers take in one request: 2,048 texts and 300,000 tokens. */
const MOST_TEXTS = 128;
const MOST_CHARACTERS = 200_000;

/** The places of the texts, request by request, in order. Texts of white space are in none: servers refuse them. */
export function batches(texts: readonly string[]): readonly (readonly number[])[] {
  const found: number[][] = [];
  let characters = 0;
  for (const [place, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const batch = found.at(-1);
    if (batch && batch.length < MOST_TEXTS && characters + text.length <= MOST_CHARACTERS) {
      batch.push(place);
      characters += text.length;
    } else {
      found.push([place]);
      characters = text.length;
    }
  }
  return found;
}
