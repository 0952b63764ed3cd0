import { type QueryTerm, queryTerms } from '../language/query-terms.ts';
import { sentencesOf } from '../language/sentences.ts';
import { findTerms } from '../language/terms.ts';
import { safeMarkdown } from './safe-markdown.ts';
import type { Source } from './sources.ts';

/** With the numbers of the sources, the answer has at most 120 words. */
const MOST_WORDS = 117;
/** Pages that are quoted: more make a mosaic. */
const MOST_QUOTED = 3;
/** Of the best source: a weaker one is not quoted. */
const LEAST_SHARE = 0.7;
/** A shorter line is a heading or a menu entry. */
const FEWEST_WORDS = 4;
/** Texts are chunks, which are shorter. */
const MOST_SENTENCES = 200;
/** What a word counts that an earlier sentence of the answer already has. */
const REPEATED = 0.35;
/** Of the score of its neighbours: an answer often follows the sentence with the question's words. */
const NEIGHBOUR_SHARE = 0.25;
/** A sentence is taken if it reaches this share of the best one. */
const LEAST_SENTENCE_SHARE = 0.4;
/** A line without a full stop is a heading, a menu or a row of a list more often than an answer. */
const LOOSE_LINE = 0.4;
/** Lines after a sentence that ends with a colon belong to it. */
const MOST_LISTED = 8;
/** Without any word in common, the beginning of the best passage answers. */
const OPENING_WORDS = 60;

type Sentence = {
  readonly text: string;
  readonly source: number;
  readonly index: number;
  readonly words: number;
  readonly terms: ReadonlySet<number>;
};

export type Quoted = { readonly answer: string; readonly sources: readonly Source[] };

/** The best sentences of the sources, whole and in reading order, at most 120 words, with only the quoted sources. */
export function extractiveAnswer(question: string, sources: readonly Source[], languages: readonly string[]): Quoted {
  const best = sources[0]?.relevance ?? 0;
  const quotable = sources.slice(0, MOST_QUOTED).filter(({ relevance }) => relevance >= LEAST_SHARE * best);
  const terms = queryTerms(question, languages);
  const sentences = quotable.flatMap((source, index) => sentencesIn(source, index, terms));
  return written(chosen(sentences, quotable, terms), quotable);
}

function sentencesIn({ text, language }: Source, source: number, terms: readonly QueryTerm[]): readonly Sentence[] {
  const asked = terms.flatMap(({ question, forms }, index) =>
    question ? [] : forms.map((form) => [form, index] as const),
  );
  const wanted = new Set(asked.map(([form]) => form));
  return sentencesOf(text)
    .slice(0, MOST_SENTENCES)
    .map((sentence, index) => {
      const found = new Set(findTerms(wanted, sentence, language).map(({ term }) => term));
      const matched = new Set(asked.flatMap(([form, term]) => (found.has(form) ? [term] : [])));
      return { text: sentence, source, index, words: countWords(sentence), terms: matched };
    });
}

const countWords = (text: string): number => text.split(/\s+/).length;

function chosen(
  sentences: readonly Sentence[],
  sources: readonly Source[],
  terms: readonly QueryTerm[],
): readonly Sentence[] {
  const quotable = distinct(sentences.filter(({ words }) => words >= FEWEST_WORDS && words <= MOST_WORDS));
  const weightOf = rarity(quotable, terms);
  const covered = new Set<number>();
  const own = (sentence: Sentence): number => {
    let sum = 0;
    for (const term of sentence.terms) sum += (weightOf[term] ?? 0) * (covered.has(term) ? REPEATED : 1);
    return sum;
  };
  const score = (sentence: Sentence): number => {
    const near = sentences.filter(
      ({ source, index }) => source === sentence.source && Math.abs(index - sentence.index) === 1,
    );
    const around = NEIGHBOUR_SHARE * Math.max(0, ...near.map(own));
    const form = SENTENCE.test(sentence.text) ? 1 : LOOSE_LINE;
    return form * (own(sentence) + around) * (sources[sentence.source]?.relevance ?? 0);
  };
  const taken: Sentence[] = [];
  let room = MOST_WORDS;
  let first = 0;
  for (;;) {
    // The first sentence is one of the best source: the order of the sources is that of the pages.
    const left = quotable.filter(
      (sentence) => !taken.includes(sentence) && sentence.words <= room && (taken.length > 0 || sentence.source === 0),
    );
    const [next, its] = highest(left, score);
    if (!next || its === 0 || its < LEAST_SENTENCE_SHARE * first) break;
    first = Math.max(first, its);
    for (const sentence of [next, ...listedAfter(next, sentences)]) {
      if (sentence.words > room || taken.includes(sentence)) break;
      taken.push(sentence);
      room -= sentence.words;
      for (const term of sentence.terms) covered.add(term);
    }
  }
  return taken.length > 0 ? taken : opening(sentences);
}

const SENTENCE = /[.!?:\u2026\u3002\uff01\uff1f]["'\u2019\u201d)\]]?$/;

/** The lines of the list that a sentence announces. */
function listedAfter({ text, source, index }: Sentence, sentences: readonly Sentence[]): readonly Sentence[] {
  if (!text.endsWith(':')) return [];
  return sentences.filter(
    (other) => other.source === source && other.index > index && other.index <= index + MOST_LISTED,
  );
}

/** The first of sentences with the same text. */
const distinct = (sentences: readonly Sentence[]): readonly Sentence[] => [
  ...new Map(sentences.toReversed().map((sentence) => [sentence.text, sentence])).values(),
];

/** Words that few of the sentences have say most about which of them answers. */
function rarity(sentences: readonly Sentence[], terms: readonly QueryTerm[]): readonly number[] {
  return terms.map((_, term) => {
    const having = sentences.filter((sentence) => sentence.terms.has(term)).length;
    return Math.log(1 + (sentences.length + 1) / (having + 0.5));
  });
}

function highest(sentences: readonly Sentence[], score: (sentence: Sentence) => number) {
  let best: Sentence | undefined;
  let most = 0;
  for (const sentence of sentences) {
    const its = score(sentence);
    if (its > most) [best, most] = [sentence, its];
  }
  return [best, most] as const;
}

/** The beginning of the best passage; a single sentence that is too long is cut. */
function opening(sentences: readonly Sentence[]): readonly Sentence[] {
  const taken: Sentence[] = [];
  let words = 0;
  for (const sentence of sentences.filter(({ source }) => source === 0)) {
    if (words + sentence.words > (taken.length > 0 ? OPENING_WORDS : MOST_WORDS)) break;
    taken.push(sentence);
    words += sentence.words;
  }
  const [first] = sentences;
  if (taken.length > 0 || !first) return taken;
  return [{ ...first, text: `${first.text.split(/\s+/).slice(0, MOST_WORDS).join(' ')}…` }];
}

/** Sentences of a page in their order, each page with its number at the end. */
function written(sentences: readonly Sentence[], sources: readonly Source[]): Quoted {
  const bySource = Map.groupBy(sentences, ({ source }) => source);
  const cited = [...bySource.keys()].sort((a, b) => a - b);
  const urls = new Set(sources.map(({ url }) => url));
  const paragraphs = cited.map((source, position) => {
    const inOrder = (bySource.get(source) ?? []).toSorted((a, b) => a.index - b.index);
    const text = inOrder.map((sentence) => oneLine(sentence.text)).join(' ');
    return `${safeMarkdown(text, urls)} [${position + 1}]`;
  });
  return { answer: paragraphs.join('\n\n'), sources: cited.flatMap((source) => sources[source] ?? []) };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
