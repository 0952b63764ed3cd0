import { longPattern } from '../../text/long-pattern.ts';
import type { QueryTerm } from '../../text/words/query-terms.ts';
import { answers } from './answer-confidence.ts';
import { CODE_OR_TABLE, type Sentence } from './answer-sentences.ts';
import type { QuestionKind } from './question-kind.ts';
import { dot } from './word-nearness.ts';

/** A sentence of the answer. `isListed`: a line of the list, table or code sample that a taken sentence introduces. */
export type SelectedSentence = Sentence & { readonly isListed?: true };

/** Least words of a sentence. A shorter line is a heading or a menu entry. */
const MIN_WORDS = 4;
const WEIGHTS = { words: 0.35, meaning: 0.5, heading: 0.15 } as const;
/** Weights for languages other than English, whose vectors encode only spelling. */
const OTHER_WEIGHTS = { words: 0.45, meaning: 0.15, heading: 0.15 } as const;
/** Factor of a word that an earlier sentence of the answer already has. */
const REPEATED = 0.35;
/** Credit for a word in the headings above the sentence, and in a sentence next to it. A word in the sentence has 1. */
const IN_HEADING = 0.45;
const IN_NEIGHBOUR = 0.25;
/** Greatest credit for a word of near meaning. */
const NEAR = 0.6;
/** Extra credit for a word at the beginning of the sentence, its likely subject: "A partial index is …" */
const ABOUT = 0.3;
/** Weight of a form that fits the kind of question. */
const FORM = 0.4;
/** Factor of a loose line, and of one that is quoted with its lead, its term or its columns. */
const FRAGMENT_FACTOR = 0.4;
const EXPLAINED = 0.85;
/**
 * `units`: most sentences chosen, each with the ones that it needs. `share`, `otherShare`: least score of a further
 * sentence, as a share of the best one's, on the page of the first sentence and on other pages.
 */
const TAKES = {
  fact: { units: 2, share: 0.35, otherShare: 0.4 },
  definition: { units: 2, share: 0.5, otherShare: 0.5 },
  steps: { units: 5, share: 0.5, otherShare: 0.5 },
} as const;
/** Factor of the sentence that follows a taken one in its paragraph. */
const CONTINUATION_FACTOR = 1.4;
/** Factor of the first sentences of a page, which introduce its subject. */
const LEAD = 1.05;
/** Exponent of the relevance of a sentence's passage. */
const RELEVANCE = 2;
/** Most lines of a list that belong to the sentence that introduces it. */
const MAX_LISTED = 8;
/** Most sentences quoted before a chosen one for context. */
const MAX_BEFORE = 2;
/** The beginning of a sentence that refers to the previous one, so that both are quoted. */
const STARTS_WITH_REFERENCE = longPattern(
  String.raw`
    ^(?:\(?Th(?:is|at|ese|ose|ey|eir|en|us|erefore)|\(?Its?|He|She|Such|Hence|However|But|So|And|Or|Also|Otherwise
    |Instead|Similarly|Likewise|Nevertheless|Alternatively|Moreover|Furthermore|Conversely|Consequently
    |In (?:addition|contrast|this|that|these|such)|For (?:example|instance|this|these)|As a result
    |On the other hand|Doing so|To do (?:this|so)|Both|Neither|Either|The (?:latter|former|same|other|second
    |following)|Another|Here|There it)\b`,
);
/** The same in other languages: pronouns and words that join. */
const GOES_ON_ELSEWHERE = longPattern(
  String.raw`
    ^(?:(?:Er|Es|Dies(?:e[nmrs]?)?|Dabei|Dadurch|Daher|Dazu|Jedoch|Aber|Außerdem|Hierbei|Deshalb|Doch|Zudem
    |Est[ae]s?|Esto|Él|Ella|Ello|Además|Sin embargo|Pero|También|Así|Ce(?:ci|la|tte|t|s)?|Ils?|Elles?
    |Cependant|Mais|Ainsi|De plus|Questo|Questa|Questi|Queste|Egli|Essa|Inoltre|Tuttavia|Ma|Deze|Dit|Hij|Zij|Het
    |Echter|Maar|Bovendien|Isso|Isto|Ele|Ela|Eles|Elas|Além disso|Porém|Mas|Он|Она|Оно|Они|Этот?|Эта|Эти)(?![\p{L}\p{N}])
    |[他她它这這该該此其但])`,
  'u',
);
/** The beginning of a fragment of a sentence. */
const FRAGMENT = /^(?:is|are|was|were|and|or|but|which|that|has|have|can|must|may|will|to|of|in|for|with|the|an?)\b/;
/** A sentence whose subject is the previous line: "Sets the port." */
const LACKS_SUBJECT = /^\p{Lu}\p{Ll}+s (?:the|an?|whether|how|if|that|all|or|to|and)\b/u;
/** A cross-reference. */
const REFERENCE = /\b(?:see|refer to) (?:also\b|Table|Section|Chapter|the (?:section|chapter|description))/i;
const MAX_TERM_LENGTH = 8;

/** Least cosine of two sentences that say the same. */
const SAME = 0.85;
/** Tells whether a line may be a term that the next sentence explains. */
export const isTermLine = ({ text, words, isLoose }: Sentence): boolean =>
  isLoose && words <= MAX_TERM_LENGTH && !/[[\]{};=<>|]/.test(text) && /[\p{L}\p{N})]$/u.test(text);
/** Tells whether a line is a table row, or a list item with a lead or a term. */
const isAnnounced = ({ shape, lead, term }: Sentence): boolean =>
  shape === 'row' || (shape === 'item' && (lead !== undefined || term !== undefined));
/** Words that say little about the subject of a question. */
const LIGHT_WORDS = new Set(
  (
    'use used using run running get got make want need happen happens mean means meaning work works way know see find ' +
    'put go come comes difference differences different between purpose reason reasons kind kinds type types define ' +
    'definition describe explain summary example examples'
  ).split(' '),
);
const LIGHT_WEIGHT = 0.3;

/** Selects the best sentences one by one. Words that a selected sentence has count less in the next. */
export class SentenceSelection {
  readonly taken: SelectedSentence[] = [];
  readonly #sentences: readonly Sentence[];
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #covered = new Set<number>();
  readonly #byIndex: ReadonlyMap<number, Sentence>;
  readonly #kind: QuestionKind;
  readonly #showsCode: boolean;
  #room: number;
  #highest = 0;

  /**
   * `room`: words left. `showsCode`: quotes a code sample even if the sentence before it does not end with a colon.
   */
  constructor(
    sentences: readonly Sentence[],
    {
      terms,
      kind,
      room,
      showsCode,
    }: { terms: readonly QueryTerm[]; kind: QuestionKind; room: number; showsCode: boolean },
  ) {
    this.#kind = kind;
    this.#showsCode = showsCode;
    this.#sentences = sentences;
    this.#room = room;
    this.#byIndex = new Map(sentences.map((sentence) => [sentence.index, sentence]));
    this.#weights = rarity(sentences, terms);
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0) || 1;
  }

  takeAll(): readonly SelectedSentence[] {
    for (let units = 0; units < TAKES[this.#kind.takes].units; units++) {
      const unit = this.#best();
      if (!unit) break;
      for (const sentence of unit) {
        this.taken.push(sentence);
        this.#room -= sentence.words;
        for (const term of sentence.terms) this.#covered.add(term);
      }
      if (this.#kind.takes === 'fact' && unit.some((sentence) => this.#isComplete(sentence))) break;
    }
    return this.taken;
  }

  /** Tells whether one of the taken sentences answers; if none is taken, whether any sentence does. */
  get bears(): boolean {
    const chosen = this.taken.length > 0 ? this.taken : this.#sentences;
    return chosen.some((sentence) => !sentence.isQuestion && answers(sentence, this.#weights));
  }

  /** Tells whether the sentence may have the fact asked for, and has all weighted words of the question. */
  #isComplete({ hasFact, terms }: Sentence): boolean {
    return hasFact !== false && this.#weights.every((weight, term) => weight === 0 || terms.has(term));
  }

  /** Returns the best sentence with the ones that it needs. */
  #best(): readonly SelectedSentence[] | undefined {
    const scored = this.#eligible()
      .map((sentence) => ({ sentence, score: this.#score(sentence) }))
      .filter(({ score, sentence }) => score > 0 && score >= this.#least(sentence))
      .sort((a, b) => b.score - a.score);
    for (const { sentence, score } of scored) {
      const unit = this.#unit(sentence);
      if (!unit) continue;
      this.#highest = Math.max(this.#highest, score);
      return unit;
    }
    return undefined;
  }

  /** Requires the fact asked for in the first sentence, if any sentence may have it. Later ones may explain it. */
  #eligible(): readonly Sentence[] {
    const having = this.#sentences.filter(({ hasFact }) => hasFact !== false);
    return this.taken.length === 0 && having.length > 0 ? having : this.#sentences;
  }

  #least({ source }: Sentence): number {
    const first = this.taken[0]?.source ?? source;
    const { share, otherShare } = TAKES[this.#kind.takes];
    return this.#highest * (source === first ? share : otherShare);
  }

  /** Adds the previous sentences that it needs and the list that it introduces. Undefined if it cannot be quoted. */
  #unit(sentence: Sentence): readonly SelectedSentence[] | undefined {
    if (!this.#canStand(sentence)) return undefined;
    const before = this.#before(sentence);
    if (!before) return undefined;
    const isListed = before.length > 0 && (sentence.isLoose || before.at(-1)?.index === sentence.lead);
    const own: readonly SelectedSentence[] = isListed ? [{ ...sentence, isListed }] : [sentence];
    const needed = [...before, ...own].filter((one) => !this.#isTaken(one));
    let room = this.#room - wordsOf(needed);
    if (room < 0) return undefined;
    const listed = this.#listedAfter(sentence).filter((line) => {
      room -= line.words;
      return room >= 0;
    });
    if (sentence.text.endsWith(':') && listed.every(({ text }) => text.endsWith(':'))) return undefined;
    return [...needed, ...listed];
  }

  #canStand(sentence: Sentence): boolean {
    const { isQuestion, text, words } = sentence;
    if (isQuestion || this.#isTaken(sentence) || this.#isRepeated(sentence) || this.#isOtherRow(sentence)) return false;
    if (isAnnounced(sentence)) return words >= 2;
    return !FRAGMENT.test(text) && words >= (text.endsWith(':') ? 2 : MIN_WORDS);
  }

  /** Returns the previous sentences that this one needs; undefined if a needed one cannot be quoted. */
  #before(sentence: Sentence, depth = 0): readonly SelectedSentence[] | undefined {
    const previous = this.#byIndex.get(sentence.index - 1);
    const isTerm = previous && isTermLine(previous) && previous.block === sentence.block;
    if (sentence.shape !== 'sentence' && sentence.startsLine) return this.#announcing(sentence);
    if (sentence.isLoose) return this.#leadIn(sentence);
    if (LACKS_SUBJECT.test(sentence.text) && isTerm) return [previous];
    if (!STARTS_WITH_REFERENCE.test(sentence.text) && !GOES_ON_ELSEWHERE.test(sentence.text)) return [];
    if (!previous || depth >= MAX_BEFORE) return undefined;
    if (isTerm) return [previous];
    if (previous.isLoose || previous.text.endsWith(':') || REFERENCE.test(previous.text)) return undefined;
    const more = this.#before(previous, depth + 1);
    return more && [...more, previous];
  }

  /**
   * Returns the lead of a list item or code sample, with the leads above it. Code and loose items need their lead; a
   * whole sentence only one that ends with a colon. Rows need none.
   */
  #announcing({ shape, isLoose, term, lead: index }: Sentence): readonly SelectedSentence[] | undefined {
    const lead = index === undefined ? undefined : this.#byIndex.get(index);
    if (shape === 'row') return [];
    if (!lead || lead.isQuestion) return shape === 'code' ? undefined : [];
    const isNeeded = shape === 'code' || (isLoose && term === undefined) || lead.text.endsWith(':');
    if (!isNeeded) return [];
    // The lead of a nested item is its parent item, which may need a lead too.
    const before = lead.shape === 'item' ? (this.#announcing(lead) ?? []) : [];
    return [...before, lead];
  }

  /**
   * Finds the lead of a loose line in a passage without block structure. Code and table lines need one.
   */
  #leadIn({ text, index, block }: Sentence): readonly SelectedSentence[] | undefined {
    for (let i = index - 1; i >= index - MAX_LISTED; i--) {
      const before = this.#byIndex.get(i);
      if (!before) break;
      if (before.text.endsWith(':')) return before.words <= this.#room ? [before] : undefined;
      if (before.block !== block && !before.isLoose) break;
    }
    return CODE_OR_TABLE.test(text) ? undefined : [];
  }

  #isTaken({ text }: Sentence): boolean {
    return this.taken.some((other) => other.text.includes(text));
  }

  /** Tells whether a taken row has more of the question's terms, so that this row is about another subject. */
  #isOtherRow(sentence: Sentence): boolean {
    if (sentence.shape !== 'row') return false;
    return this.taken.some((other) => other.shape === 'row' && termsAround(other) > termsAround(sentence));
  }

  /** Tells whether a taken sentence says the same, as other pages often do. */
  #isRepeated({ vector }: Sentence): boolean {
    return vector !== undefined && this.taken.some((other) => other.vector && dot(vector, other.vector) >= SAME);
  }

  /** Returns the lines of the list that a sentence introduces: the rest of its block, or the next block. */
  #listedAfter({ text, index }: Sentence): readonly SelectedSentence[] {
    const listed: SelectedSentence[] = [];
    const sample = this.#byIndex.get(index + 1);
    if (!text.endsWith(':')) return this.#showsCode && sample?.shape === 'code' ? [{ ...sample, isListed: true }] : [];
    for (let next = this.#byIndex.get(index + 1); next && listed.length < MAX_LISTED; ) {
      if (next.block !== this.#byIndex.get(index + 1)?.block) break;
      listed.push({ ...next, words: next.words + 1, isListed: true }); // one for its dash
      next = this.#byIndex.get(next.index + 1);
    }
    return listed.filter((line) => !this.#isTaken(line));
  }

  #score(sentence: Sentence): number {
    const { source, block, index, meaning, heading, form, isLoose, isEnglish, relevance } = sentence;
    const near = [index - 1, index + 1].flatMap((i) => this.#byIndex.get(i) ?? []);
    const words = this.#lexical(sentence, new Set(near.flatMap(({ terms }) => [...terms])));
    const follows = this.taken.some(
      (other) => other.source === source && other.block === block && other.index === index - 1,
    );
    const weights = isEnglish ? WEIGHTS : OTHER_WEIGHTS;
    return (
      (weights.words * words + weights.meaning * meaning + weights.heading * heading) *
      (1 + FORM * form) *
      (isAnnounced(sentence) ? EXPLAINED : isLoose ? FRAGMENT_FACTOR : 1) *
      (sentence.isLead ? LEAD : 1) *
      (follows ? CONTINUATION_FACTOR : 1) *
      relevance ** RELEVANCE
    );
  }

  /** Returns the share of the question's words in the sentence. Rare words count more. */
  #lexical(sentence: Sentence, neighbours: ReadonlySet<number>): number {
    let sum = 0;
    for (const [term, weight] of this.#weights.entries())
      sum += weight * (this.#covered.has(term) ? REPEATED : 1) * creditOf(term, sentence, neighbours);
    return sum / this.#total;
  }
}

function creditOf(
  term: number,
  { terms, firstTerms, headingTerms, nearTerms }: Sentence,
  neighbours: ReadonlySet<number>,
): number {
  if (terms.has(term)) return firstTerms.has(term) ? 1 + ABOUT : 1;
  return Math.max(
    headingTerms.has(term) ? IN_HEADING : 0,
    neighbours.has(term) ? IN_NEIGHBOUR : 0,
    NEAR * (nearTerms[term] ?? 0),
  );
}

/** Counts the terms of the question in a sentence and its headings. */
const termsAround = ({ terms, headingTerms }: Sentence): number => new Set([...terms, ...headingTerms]).size;

const wordsOf = (sentences: readonly Sentence[]): number => sentences.reduce((sum, { words }) => sum + words, 0);

/** Returns the weight of each term: greater for words that fewer sentences have, 0 for question words. */
function rarity(sentences: readonly Sentence[], terms: readonly QueryTerm[]): readonly number[] {
  return terms.map(({ question, term: word }, term) => {
    if (question) return 0;
    const having = sentences.filter((sentence) => sentence.terms.has(term)).length;
    return Math.log(1 + (sentences.length + 1) / (having + 0.5)) * (LIGHT_WORDS.has(word) ? LIGHT_WEIGHT : 1);
  });
}
