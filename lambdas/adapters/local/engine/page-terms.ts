import type { LabelledTerm } from '../../../core/language/labels.ts';
import type { TermsByPosition } from '../../../core/language/terms.ts';

/** Numbers the distinct terms of one page, so that each goes to the engine once. */
export class PageTerms {
  readonly #places = new Map<string, number>();

  /** The distinct terms so far, joined by blanks: no term has one. */
  get words(): string {
    return [...this.#places.keys()].join(' ');
  }

  /** The places of distinct terms. */
  placesOf(terms: readonly string[]): Uint32Array {
    return Uint32Array.from(new Set(terms), (term) => this.#placeOf(term));
  }

  /** The place of each term times two, plus one if it stands at the position of the one before it. */
  sequence(terms: TermsByPosition): Uint32Array {
    const places: number[] = [];
    for (let position = 0; position < terms.length; position++) {
      const beside = terms[position] as readonly string[];
      for (let i = 0; i < beside.length; i++) places.push((this.#placeOf(beside[i] as string) << 1) | (i > 0 ? 1 : 0));
    }
    return new Uint32Array(places);
  }

  /** The place of each term times 16, plus the length of its label. */
  labels(labelled: readonly LabelledTerm[]): Uint32Array {
    return new Uint32Array(labelled.map(({ term, length }) => (this.#placeOf(term) << 4) | length));
  }

  #placeOf(term: string): number {
    const known = this.#places.get(term);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(term, place);
    return place;
  }
}
