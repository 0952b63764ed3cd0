import { cut } from '../../../text/words/folding.ts';
import { MAX_BEGINNING_LENGTH } from '../../../text/words/spelling.ts';

/** Escapes every character but letters and digits for Lucene's regular expressions. */
export const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

/** Matches longer words that begin with the text. */
export const completionsPattern = (text: string): string => `${escaped(text)}.+`;

/** Matches words that begin with the text except for one wrong, missing, added or swapped letter after the first. */
export function similarCompletionsPattern(text: string): string {
  const letters = [...cut(text, MAX_BEGINNING_LENGTH)];
  const part = (from: number, to: number) => escaped(letters.slice(from, to).join(''));
  const edited = letters.flatMap((_, i) => {
    const [before, after] = [part(0, i), part(i + 1, letters.length)];
    const swapped =
      i + 1 < letters.length ? [`${before}${part(i + 1, i + 2)}${part(i, i + 1)}${part(i + 2, letters.length)}`] : [];
    return i === 0
      ? swapped
      : [`${before}.${after}`, `${before}${after}`, `${before}.${part(i, letters.length)}`, ...swapped];
  });
  return `(${[...new Set(edited)].join('|')}).*`;
}
