import { fold } from '../../text/words/folding.ts';
import type { QueryTerm } from '../../text/words/query-terms.ts';
import type { Embedder } from '../ports/embedder.ts';

const WORD = /\p{L}[\p{L}\p{M}\p{N}'\u2019-]{3,40}/gu;

/** Returns, for each sentence, the nearness of its nearest word to each term of the question, 0 to 1. */
export async function wordNearness(
  terms: readonly QueryTerm[],
  sentences: readonly { readonly text: string; readonly terms: ReadonlySet<number> }[],
  language: string | undefined,
  embedder: Embedder,
): Promise<readonly (readonly number[])[]> {
  const wordsOf = sentences.map(({ text }) => [...new Set(text.toLowerCase().match(WORD))]);
  const words = [...new Set([...terms.map(({ term }) => term), ...wordsOf.flat()])];
  const embedded = await embedder.embedTexts(words.map((text) => ({ text, language })));
  const embeddedOf = new Map(words.map((word, i) => [word, embedded[i]]));
  const nearOf = new Map(
    words.map((word) => [
      word,
      terms.map(({ term, question }) => {
        const [one, other] = [embeddedOf.get(term), embeddedOf.get(word)];
        if (question || !one || !other) return 0;
        return one.block === 'hash' ? spelledAlike(term, word) : Math.max(0, dot(one.vector, other.vector));
      }),
    ]),
  );
  return sentences.map(({ terms: has }, i) =>
    terms.map((_, term) =>
      has.has(term) ? 1 : Math.max(0, ...(wordsOf[i] ?? []).map((word) => nearOf.get(word)?.[term] ?? 0)),
    ),
  );
}

const MIN_ALIKE = 4;
/** Compares spellings. Used for languages other than English, whose word vectors do not encode meaning. */
function spelledAlike(a: string, word: string): number {
  const b = fold(word);
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  if (same >= MIN_ALIKE) return same / Math.max(a.length, b.length);
  return a.length > MIN_ALIKE && b.includes(a) ? a.length / b.length : 0;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
