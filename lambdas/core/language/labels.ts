import { titleLength } from './query-terms.ts';
import { termsByPosition } from './terms.ts';

/** A term of a label, with the length of the shortest label that has it (`titleLength`), 1 to 15. */
export type LabelledTerm = { readonly term: string; readonly length: number };

const LONGEST_LABEL = 80;
const GREATEST_LENGTH = 15;
/** What is said of a label is longer than this, on its own line or the next: an entry of a table of contents names, and says nothing. */
const SHORTEST_BODY = 60;
const BRACKETS = /^[([{<]+/;
/** Ends a name: arguments, a value, a type, an explanation, the next cell of a row. Never within a term (words.ts). */
const NAME_END = /[([{<>}\])=|\u2192]|:(?!\S)| [\u2014\u2013-]{1,2} /;
/** With the character that tells a colon's. */
const LONGEST_END = 4;
/** A question may be a name, a sentence or a part of one is none. */
const UNFINISHED = /[.,;!\u3002]$/;

/**
 * The terms of what a passage is about by its form: its headings, and the names that stand before an explanation, as in
 * "--jobs=N  Runs so many at once", a definition list or the first cell of a row. Each term once.
 */
export function labelledTerms(
  { headings, text }: { readonly headings: readonly string[]; readonly text: string },
  language: string,
): readonly LabelledTerm[] {
  const lengths = new Map<string, number>();
  for (const label of [...headings, ...explainedNames(text)]) {
    const length = Math.min(GREATEST_LENGTH, Math.max(1, titleLength(label, language)));
    for (const beside of termsByPosition(label, language))
      for (const term of beside) if (length < (lengths.get(term) ?? Infinity)) lengths.set(term, length);
  }
  return Array.from(lengths, ([term, length]) => ({ term, length }));
}

function explainedNames(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.flatMap((line, at) => {
    const next = lines[at + 1]?.length ?? 0;
    if (Math.max(line.length, next) < SHORTEST_BODY) return [];
    const name = nameAtStart(line);
    return isName(name) && Math.max(line.length - name.length, next) >= SHORTEST_BODY ? [name] : [];
  });
}

/** Whether a line may name what the next one explains. */
export const isName = (line: string): boolean => line.length <= LONGEST_LABEL && !UNFINISHED.test(line);

function nameAtStart(line: string): string {
  const opening = BRACKETS.exec(line)?.[0].length ?? 0;
  const rest = line.slice(opening, opening + LONGEST_LABEL + LONGEST_END);
  const end = rest.search(NAME_END);
  if (end > 0) return rest.slice(0, end);
  return rest.length < line.length - opening ? line : rest;
}
