import { titleLength } from './query-terms.ts';
import { indexedTerms } from './terms.ts';

/** A term with the length (`titleLength`, 1 to 15) of the shortest label that contains it. */
export type LabelledTerm = { readonly term: string; readonly length: number };

const MAX_LABEL_LENGTH = 80;
const GREATEST_LENGTH = 15;
/**
 * Minimum length of a label's explanation, in characters, on the same line or the next. Entries of a table of contents
 * have no explanation.
 */
const MIN_BODY_LENGTH = 60;
const BRACKETS = /^[([{<]+/;
/** The end of a name: arguments, a value, an explanation or the next cell follow. Never inside a term (words.ts). */
const NAME_END = /[([{<>}\])=|\u2192]|:(?!\S)| [\u2014\u2013-]{1,2} /;
/** Characters of the longest NAME_END; a colon needs the next character. */
const MAX_END_LENGTH = 4;
/** Sentence punctuation rules a line out as a label; a question mark does not. */
const UNFINISHED = /[.,;!\u3002]$/;

/** Reads the labels of a page. Headings that several chunks share are read once. */
export class LabelReader {
  readonly #language: string;
  readonly #known = new Map<string, readonly LabelledTerm[]>();

  constructor(language: string) {
    this.#language = language;
  }

  /**
   * Returns the terms of headings, and of names before an explanation, as in "--jobs=N  Runs N jobs at once". Each term
   * once.
   */
  termsOf({
    headings,
    text,
  }: {
    readonly headings: readonly string[];
    readonly text: string;
  }): readonly LabelledTerm[] {
    const shortest = new Map<string, LabelledTerm>();
    for (const label of [...headings, ...explainedNames(text)])
      for (const labelled of this.#read(label))
        if (labelled.length < (shortest.get(labelled.term)?.length ?? Infinity)) shortest.set(labelled.term, labelled);
    return [...shortest.values()];
  }

  #read(label: string): readonly LabelledTerm[] {
    const known = this.#known.get(label);
    if (known) return known;
    const length = Math.min(GREATEST_LENGTH, Math.max(1, titleLength(label, this.#language)));
    const read = indexedTerms(label, this.#language).terms.flatMap((terms) => terms.map((term) => ({ term, length })));
    this.#known.set(label, read);
    return read;
  }
}

function explainedNames(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.flatMap((line, i) => {
    const next = lines[i + 1]?.length ?? 0;
    if (Math.max(line.length, next) < MIN_BODY_LENGTH) return [];
    const name = nameAtStart(line);
    return isName(name) && Math.max(line.length - name.length, next) >= MIN_BODY_LENGTH ? [name] : [];
  });
}

/** Returns whether a line may be the name of what the next line explains. */
export const isName = (line: string): boolean => line.length <= MAX_LABEL_LENGTH && !UNFINISHED.test(line);

function nameAtStart(line: string): string {
  const opening = BRACKETS.exec(line)?.[0].length ?? 0;
  const rest = line.slice(opening, opening + MAX_LABEL_LENGTH + MAX_END_LENGTH);
  const end = rest.search(NAME_END);
  if (end > 0) return rest.slice(0, end);
  return rest.length < line.length - opening ? line : rest;
}
