import type { QueryTerm } from '../language/query-terms.ts';
import type { Source } from './sources.ts';

export type Sentence = {
  readonly text: string;
  /** Index of its source. */
  readonly source: number;
  /** In the source's text. */
  readonly index: number;
  /** Index of its paragraph, list or code sample. */
  readonly block: number;
  readonly words: number;
  /** No sentence by its form. */
  readonly isLoose: boolean;
  /** Indexes of the question's terms in it, and among its first words. */
  readonly terms: ReadonlySet<number>;
  readonly firstTerms: ReadonlySet<number>;
  /** It is a line of the list that a taken sentence announces. */
  readonly isListed?: true;
};

/** A shorter line is a heading or a menu entry. */
const FEWEST_WORDS = 4;
/** What a word counts that an earlier sentence of the answer already has. */
const REPEATED = 0.35;
/** Of the score of its neighbours: an answer often follows the sentence with the question's words. */
const NEIGHBOUR_SHARE = 0.25;
/** A sentence is taken if it reaches this share of the best one. */
const LEAST_SHARE = 0.4;
/** The same for a sentence of another page than the best one. */
const LEAST_OTHER_SHARE = 0.6;
/** For a loose line. */
const LOOSE = 0.4;
/** For a sentence that is about what is asked for: "A partial index is …" */
const ABOUT = 0.3;
/** Lines after a sentence that ends with a colon belong to it. */
const MOST_LISTED = 8;
/** Such a sentence is understood after the one before it, and quoted with it. */
const GOES_ON =
  /^(?:Th(?:is|at|ese|ose|ey|eir|en|us|erefore)|Its?|Such|Hence|However|But|So|And|Or|Also|Otherwise|Instead|Alternatively|Moreover|Furthermore|In addition|The (?:latter|former|same))\b/;

/** Takes the sentences that answer best, one after the other: what one has said counts less in the next. */
export class SentenceSelection {
  readonly taken: Sentence[] = [];
  readonly #sentences: readonly Sentence[];
  readonly #sources: readonly Source[];
  readonly #weights: readonly number[];
  readonly #covered = new Set<number>();
  #room: number;
  #highest = 0;

  /** `room` is in words. */
  constructor(
    sentences: readonly Sentence[],
    {
      sources,
      terms,
      room,
    }: { readonly sources: readonly Source[]; readonly terms: readonly QueryTerm[]; readonly room: number },
  ) {
    this.#sentences = sentences;
    this.#sources = sources;
    this.#room = room;
    this.#weights = rarity(sentences, terms);
  }

  takeAll(): readonly Sentence[] {
    for (let next = this.#best(); next; next = this.#best()) {
      for (const sentence of [next, ...listedAfter(next, this.#sentences)]) {
        if (sentence.words > this.#room || this.#isTaken(sentence)) break;
        this.taken.push(sentence);
        this.#room -= sentence.words;
        for (const term of sentence.terms) this.#covered.add(term);
      }
    }
    for (const sentence of [...this.taken]) if (GOES_ON.test(sentence.text)) this.#takeBefore(sentence);
    return this.taken;
  }

  /** The sentence before it in its paragraph. */
  #takeBefore({ source, block, index }: Sentence): void {
    const before = this.#sentences.find((other) => other.source === source && other.index === index - 1);
    if (before?.block !== block || before.isLoose || before.text.endsWith(':')) return;
    if (before.words > this.#room || this.#isTaken(before)) return;
    this.taken.push(before);
    this.#room -= before.words;
  }

  #best(): Sentence | undefined {
    let best: Sentence | undefined;
    let most = 0;
    for (const sentence of this.#sentences) {
      if (!this.#canTake(sentence)) continue;
      const score = this.#score(sentence);
      const least = this.#highest * (sentence.source > 0 ? LEAST_OTHER_SHARE : LEAST_SHARE);
      if (score > most && score >= least) [best, most] = [sentence, score];
    }
    this.#highest = Math.max(this.#highest, most);
    return best;
  }

  /** The first sentence is one of the best source: the order of the sources is that of the pages. */
  #canTake(sentence: Sentence): boolean {
    const isFirst = this.taken.length === 0;
    if (sentence.words < FEWEST_WORDS || sentence.words > this.#room || (isFirst && sentence.source > 0)) return false;
    return !this.#isTaken(sentence);
  }

  #isTaken({ text }: Sentence): boolean {
    return this.taken.some((other) => other.text.includes(text));
  }

  #score(sentence: Sentence): number {
    const near = this.#sentences.filter(
      ({ source, index }) => source === sentence.source && Math.abs(index - sentence.index) === 1,
    );
    const around = NEIGHBOUR_SHARE * Math.max(0, ...near.map((other) => this.#own(other)));
    const form = sentence.isLoose ? LOOSE : 1;
    return form * (this.#own(sentence) + around) * (this.#sources[sentence.source]?.relevance ?? 0);
  }

  #own({ terms, firstTerms }: Sentence): number {
    const worth = (term: number) => (this.#weights[term] ?? 0) * (this.#covered.has(term) ? REPEATED : 1);
    let sum = 0;
    for (const term of terms) sum += worth(term) * (firstTerms.has(term) ? 1 + ABOUT : 1);
    return sum;
  }
}

/** The lines of the list that a sentence announces: the rest of its block, or the next one. */
function listedAfter({ text, source, index }: Sentence, sentences: readonly Sentence[]): readonly Sentence[] {
  if (!text.endsWith(':')) return [];
  const after = sentences.filter((other) => other.source === source && other.index > index);
  return after
    .filter(({ block }) => block === after[0]?.block)
    .slice(0, MOST_LISTED)
    .map((other) => ({ ...other, words: other.words + 1, isListed: true })); // one for its dash
}

/** Words that few of the sentences have say most about which of them answers. */
function rarity(sentences: readonly Sentence[], terms: readonly QueryTerm[]): readonly number[] {
  return terms.map((_, term) => {
    const having = sentences.filter((sentence) => sentence.terms.has(term)).length;
    return Math.log(1 + (sentences.length + 1) / (having + 0.5));
  });
}
