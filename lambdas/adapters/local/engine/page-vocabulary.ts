import type { LabelledTerm } from '../../../core/language/labels.ts';
import type { TermsByPosition } from '../../../core/language/terms.ts';
import { spelledTerm } from './spellings.ts';

/** Assigns indexes to the distinct terms of a page, so that the engine gets each term once (index-entry-row.ts). */
export class PageVocabulary {
  readonly #indexes = new Map<string, number>();

  /** The distinct terms so far, joined by spaces. No term contains one. */
  get joined(): string {
    return [...this.#indexes.keys()].join(' ');
  }

  encodeDistinct(terms: readonly string[]): Uint32Array {
    return Uint32Array.from(new Set(terms), (term) => this.#indexOf(term));
  }

  encodeSpellings(words: readonly string[]): Uint32Array {
    return this.encodeDistinct(words.map(spelledTerm));
  }

  encodeSequence(terms: TermsByPosition): Uint32Array {
    const encoded: number[] = [];
    for (let position = 0; position < terms.length; position++) {
      const alternatives = terms[position] as readonly string[];
      for (let i = 0; i < alternatives.length; i++)
        encoded.push((this.#indexOf(alternatives[i] as string) << 1) | (i > 0 ? 1 : 0));
    }
    return new Uint32Array(encoded);
  }

  encodeLabels(labelled: readonly LabelledTerm[]): Uint32Array {
    return new Uint32Array(labelled.map(({ term, length }) => (this.#indexOf(term) << 4) | length));
  }

  #indexOf(term: string): number {
    const known = this.#indexes.get(term);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(term, index);
    return index;
  }
}
