import type { QueryTerm } from './query-terms.ts';
import type { Term } from './terms.ts';

/** What a text has of a query, by the places of the query's terms. */
export type TermMatches = {
  readonly frequencies: readonly number[];
  /** Whether the term stands beside another of the query's words, in the query's order. */
  readonly phrase: readonly boolean[];
};

type Sighting = { readonly at: number; readonly places: readonly number[] };

/**
 * Counts a query's terms in the terms of texts, and finds those that stand together: no further apart than in the query,
 * so that "reset my password" is met by "reset password" and by "reset your password".
 */
export function termMatcher(
  query: readonly QueryTerm[],
): (text: Iterable<Pick<Term, 'term' | 'position'>>) => TermMatches {
  const placesOf = placesByForm(query);
  const order = wordOrder(query);
  return (text) => {
    const neighbours = new Neighbours(order);
    const frequencies = query.map(() => 0);
    const phrase = query.map(() => false);
    for (const { term, position } of text) {
      for (const place of placesOf.get(term) ?? []) {
        frequencies[place] = (frequencies[place] ?? 0) + 1;
        for (const together of neighbours.meet(place, position)) phrase[together] = true;
      }
    }
    return { frequencies, phrase };
  };
}

/** What one text has of a query. */
export function termMatches(query: readonly QueryTerm[], text: Iterable<Pick<Term, 'term' | 'position'>>): TermMatches {
  return termMatcher(query)(text);
}

/** Where the words of a query stand in it. */
type WordOrder = {
  /** By place. */
  readonly positions: readonly number[];
  /** By position of a word that is no question word: that of the one before it. */
  readonly before: ReadonlyMap<number, number>;
};

/** Remembers where in the text each word of the query was met last. */
class Neighbours {
  readonly #order: WordOrder;
  readonly #seen = new Map<number, Sighting>();

  constructor(order: WordOrder) {
    this.#order = order;
  }

  /** The places of the terms that now stand together, the met one included; none if it stands alone. */
  meet(place: number, at: number): readonly number[] {
    const position = this.#order.positions[place] ?? 0;
    const same = this.#seen.get(position);
    this.#seen.set(position, { at, places: same?.at === at ? [...same.places, place] : [place] });
    const previous = this.#order.before.get(position) ?? position;
    const earlier = this.#seen.get(previous);
    const together = earlier && at > earlier.at && at - earlier.at <= position - previous;
    return together ? [...earlier.places, place] : [];
  }
}

function placesByForm(query: readonly QueryTerm[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  query.forEach(({ forms }, place) => {
    for (const form of forms) places.set(form, [...(places.get(form) ?? []), place]);
  });
  return places;
}

function wordOrder(query: readonly QueryTerm[]): WordOrder {
  const named = query.filter((term) => !term.question).map((term) => term.position);
  const positions = [...new Set(named)].sort((a, b) => a - b);
  return {
    positions: query.map((term) => term.position),
    before: new Map(positions.flatMap((position, i) => (i > 0 ? [[position, positions[i - 1] ?? 0] as const] : []))),
  };
}
