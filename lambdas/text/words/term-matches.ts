import type { QueryTerm } from './query-terms.ts';
import type { Term } from './terms.ts';

/** How a text matches a query; both arrays are indexed by query term. */
export type TermMatches = {
  readonly frequencies: readonly number[];
  /**
   * For each term: whether it is next to another of the query's words, in the query's order; never for a question word.
   */
  readonly phrase: readonly boolean[];
};

type Match = { readonly at: number; readonly terms: readonly number[] };

/** Counts terms and finds phrases: "reset my password" matches "reset password" and "reset your password". */
export function termMatcher(
  query: readonly QueryTerm[],
): (text: Iterable<Pick<Term, 'term' | 'position'>>) => TermMatches {
  const termsOf = termsByForm(query);
  const order = wordOrder(query);
  return (text) => {
    const neighbours = new Neighbours(order);
    const frequencies = query.map(() => 0);
    const phrase = query.map(() => false);
    for (const { term, position } of text) {
      for (const index of termsOf.get(term) ?? []) {
        frequencies[index] = (frequencies[index] ?? 0) + 1;
        if (query[index]?.question) continue;
        for (const together of neighbours.add(index, position)) phrase[together] = true;
      }
    }
    return { frequencies, phrase };
  };
}

export function termMatches(query: readonly QueryTerm[], text: Iterable<Pick<Term, 'term' | 'position'>>): TermMatches {
  return termMatcher(query)(text);
}

type WordOrder = {
  readonly positions: readonly number[];
  /** Maps the position of a word to that of the previous word, skipping question words. */
  readonly before: ReadonlyMap<number, number>;
};

/** Remembers the last match of each word of the query in a text. */
class Neighbours {
  readonly #order: WordOrder;
  readonly #last = new Map<number, Match>();

  constructor(order: WordOrder) {
    this.#order = order;
  }

  /**
   * Records a match. Returns the indexes of the terms that form a phrase with it, itself included; empty if there are
   * none.
   */
  add(index: number, at: number): readonly number[] {
    const position = this.#order.positions[index] ?? 0;
    const same = this.#last.get(position);
    this.#last.set(position, { at, terms: same?.at === at ? [...same.terms, index] : [index] });
    const previous = this.#order.before.get(position) ?? position;
    const earlier = this.#last.get(previous);
    const together = earlier && at > earlier.at && at - earlier.at <= position - previous;
    return together ? [...earlier.terms, index] : [];
  }
}

function termsByForm(query: readonly QueryTerm[]): ReadonlyMap<string, readonly number[]> {
  const terms = new Map<string, number[]>();
  query.forEach(({ forms }, i) => {
    for (const form of forms) terms.set(form, [...(terms.get(form) ?? []), i]);
  });
  return terms;
}

function wordOrder(query: readonly QueryTerm[]): WordOrder {
  const named = query.filter((term) => !term.question).map((term) => term.position);
  const positions = [...new Set(named)].sort((a, b) => a - b);
  return {
    positions: query.map((term) => term.position),
    before: new Map(positions.flatMap((position, i) => (i > 0 ? [[position, positions[i - 1] ?? 0] as const] : []))),
  };
}
