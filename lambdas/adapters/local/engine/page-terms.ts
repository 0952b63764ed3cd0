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
    for (const beside of terms) {
      let isBeside = 0;
      for (const term of beside) {
        places.push((this.#placeOf(term) << 1) | isBeside);
        isBeside = 1;
      }
    }
    return Uint32Array.from(places);
  }

  /** The place of each term times 16, plus the length of its label. */
  labels(labelled: readonly LabelledTerm[]): Uint32Array {
    return Uint32Array.from(labelled, ({ term, length }) => (this.#placeOf(term) << 4) | length);
  }

  #placeOf(term: string): number {
    const known = this.#places.get(term);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(term, place);
    return place;
  }
}
