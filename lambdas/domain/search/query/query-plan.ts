import { MOST_QUERY_TERMS, type QueryTerm, queryTerms } from '../../../text/words/query-terms.ts';
import { isQuestionWord } from '../../../text/words/question-words.ts';
import { isSpelled } from '../../../text/words/spelling.ts';
import { primaryLanguage } from '../../../text/words/stemmer.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexReader, SpelledWord, WordEntry } from '../../ports/index-reader.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { Replacement, Vocabulary } from './correct-words.ts';
import { formsOf, type TypedWord, typedWords, wordQuery } from './query-words.ts';

/** `from` as typed, `to` as searched. */
export type Correction = { readonly from: string; readonly to: string };

/** How a query is searched. */
export type QueryPlan = {
  /** The query with its corrections. */
  readonly text: string;
  readonly corrections: readonly Correction[];
  /** A factor of all scores: less if the site lacks several of the words, some of which were corrected. */
  readonly confidence: number;
  /** Words that the site does not have, as typed. */
  readonly unknownWords: number;
  /** Some of these were left as they are, since they are words of the language. */
  readonly hasOtherWords: boolean;
  readonly terms: readonly QueryTerm[];
  /** The same terms with the completions of the last word in its place, if it has some. */
  readonly completed?: readonly QueryTerm[];
  /** Pages have the last word as a whole, so they come before those with its completions. */
  readonly isLastKnown: boolean;
  /** A completion of the last word is much more frequent than the word. */
  readonly isLastUnfinished: boolean;
  /** What the query may be read as if it finds nothing. */
  readonly otherTexts: readonly string[];
};

export type PlanRequest = {
  readonly text: string;
  /** Texts in quotes, whose words are taken as they are. */
  readonly quoted: readonly string[];
  /** Whether the last word may be the beginning of a word. */
  readonly completes: boolean;
  readonly exact: boolean;
  /**
   * Corrects unknown words also if they are words of the language. Then scores fall. `other`: to words that the
   * language lacks; `any`: to every word, if one word is unknown and another is not.
   */
  readonly correctsWords?: 'other' | 'any';
  /** Looks for a misspelling among the words that the site has: `likely` only if it can hardly be another word. */
  readonly correctsKnown?: 'any' | 'likely';
};

type Deps = {
  readonly scopes: readonly [SiteScope, ...SiteScope[]];
  readonly languages: readonly string[];
  readonly index: Pick<IndexReader, 'vocabulary'>;
  readonly isWord?: Embedder['isWord'];
};

/** Shorter beginnings of words are as likely to be words of their own. */
const SHORTEST_PREFIX = 2;
/** A word with a completion that is so much more frequent is rather the beginning of it. */
const UNFINISHED = 2;
/**
 * For each unknown word beyond the first, and beyond one in five. A query of the site's visitors has one typo, one from
 * elsewhere has more.
 */
const SEVERAL_UNKNOWN = 0.6;
const WORDS_PER_UNKNOWN = 5;
/** For a correction of a word of the language: "visa" is rather of another subject than a misspelt "via". */
const OTHER_WORD = 0.4;
/** Beside a known word it is rather a typo: "garage collection" on a site with "garbage collection". */
const OTHER_WORD_BESIDE = 0.5;
const MOST_CORRECTED = 4;
const LONGEST_FRAGMENT = 2;
/** Longer queries say what they are about by their other words. */
const MOST_SUSPECTED = 6;
const LONG_WORD = 8;
const LETTERS = /^\p{L}+$/u;

export async function planQuery(request: PlanRequest, { scopes, languages, index, isWord }: Deps): Promise<QueryPlan> {
  const { text, exact, correctsKnown } = request;
  const words = typedWords(text, languages);
  if (exact || words.length > MOST_QUERY_TERMS) return { text, terms: queryTerms(text, languages), ...UNCHANGED };
  const vocabulary: Vocabulary = {
    languages,
    lookUp: async (words) => (words.length > 0 ? index.vocabulary({ scopes, words }) : []),
  };
  const last = request.completes ? words.at(-1) : undefined;
  const finds = (word: TypedWord) => (word === last && word.word.length >= SHORTEST_PREFIX ? 'completions' : undefined);
  const entries = await vocabulary.lookUp(words.map((word) => wordQuery(word, finds(word))));
  const quoted = new Set(request.quoted.flatMap((phrase) => typedWords(phrase, []).map(({ word }) => word)));
  const free = words.map((word, i) => ({ word, entry: entries[i] })).filter(({ word }) => !quoted.has(word.word));
  const unknown = free.filter(({ word, entry }) => !isAccepted(word, entry, languages)).map(({ word }) => word);
  const paired = await pairCorrection(text, unknown, vocabulary);
  if (paired) {
    const plan = await planQuery({ ...request, text: replaced(text, [paired]) }, { scopes, languages, index, isWord });
    const own = { from: text.slice(paired.from.start, paired.from.end), to: paired.to };
    return { ...plan, corrections: [own, ...plan.corrections] };
  }
  const suspect = correctsKnown ? free.map(({ word }) => word) : unknown;
  const isOther = await Promise.all(suspect.map(({ word }) => isWord?.(word) ?? false));
  const others = new Set(suspect.filter((_, i) => isOther[i]));
  const misspelt = request.correctsWords ? unknown : unknown.filter((word) => !others.has(word));
  const plainTerms = free.filter(({ word }) => !isQuestionWord(word.word, questionLanguages(languages))).length;
  const isOnly = request.correctsWords === 'any' && unknown.length === 1 && plainTerms > 1;
  const mayMean = async (typed: TypedWord, word: string) =>
    isOnly || !others.has(typed) || (lacksLetter(typed.word, word) && !(await isWord?.(word)));
  const replacements = correctsKnown
    ? await oneCorrection(correctsKnown === 'likely' ? likelyMisspelt(suspect, plainTerms) : suspect, {
        ...vocabulary,
        byOneEdit: correctsKnown === 'likely',
      })
    : await correctionsOf(misspelt.slice(0, MOST_CORRECTED), { ...vocabulary, mayMean });
  const likely = replacements.filter(({ from, to }) => isOnly || !others.has(from) || lacksLetter(from.word, to));
  const corrected = replaced(text, likely);
  const plan: QueryPlan = {
    ...UNCHANGED,
    text: corrected,
    terms: withoutFragments(queryTerms(corrected, languages), unknown),
    corrections: likely.map(({ from, to }) => ({ from: text.slice(from.start, from.end), to })),
    confidence: confidenceIn(likely, { words, unknown, others, isOnly }),
    unknownWords: unknown.length,
    hasOtherWords: others.size > 0,
  };
  const completed = last && completion(plan.terms, last, entries.at(-1), languages);
  const isBegun = last?.word.length === 1 || completed?.isLastKnown === false;
  const before = isBegun ? [text.slice(0, last?.start)] : [];
  return {
    ...plan,
    ...completed,
    otherTexts: [...inParts(text, unknown), ...before].filter((other) => /\S/.test(other)),
  };
}

/* A function that serves searches loads these at the first typo. */

async function pairCorrection(text: string, unknown: readonly TypedWord[], { lookUp }: Vocabulary) {
  if (unknown.length === 0) return undefined;
  const { correctPairs } = await import('./correct-pairs.ts');
  return correctPairs(text, unknown, lookUp);
}

async function correctionsOf(words: readonly TypedWord[], vocabulary: Vocabulary): Promise<readonly Replacement[]> {
  if (words.length === 0) return [];
  const { correctWords } = await import('./correct-words.ts');
  return correctWords(words, vocabulary);
}

async function oneCorrection(words: readonly TypedWord[], vocabulary: Vocabulary & { readonly byOneEdit: boolean }) {
  const { correctOneWord } = await import('./correct-words.ts');
  return correctOneWord(words, vocabulary);
}

/** Of a query of one word only a long one: short words and names of programs are like others by accident. */
function likelyMisspelt(words: readonly TypedWord[], plainTerms: number): readonly TypedWord[] {
  if (words.length > MOST_SUSPECTED) return [];
  return words.filter(({ word }) => LETTERS.test(word) && (plainTerms > 1 || word.length >= LONG_WORD));
}

/** Identifiers that the site lacks as words: "max_old_space" where pages have "--max-old-space-size". */
function inParts(text: string, unknown: readonly TypedWord[]): readonly string[] {
  const parts = unknown.flatMap((from) => {
    const to = text
      .slice(from.start, from.end)
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
      .trim();
    return to.includes(' ') ? [{ from, to }] : [];
  });
  return parts.length > 0 ? [replaced(text, parts)] : [];
}

const UNCHANGED = {
  ...{ corrections: [], confidence: 1, unknownWords: 0, hasOtherWords: false },
  ...{ isLastKnown: true, isLastUnfinished: false, otherTexts: [] },
};

/**
 * A letter is easily left out ("son" for "json"); with another letter or ending a word of the language is rather meant.
 * Nor is one word of the language a misspelling of another ("soon").
 */
const lacksLetter = (typed: string, word: string): boolean => word.length > typed.length && !word.startsWith(typed);

type WordsOfQuery = Readonly<Record<'words' | 'unknown', readonly TypedWord[]>> & {
  /** Words of the language. */
  readonly others: ReadonlySet<TypedWord>;
  /** Only one word is unknown, and another is not. */
  readonly isOnly: boolean;
};

function confidenceIn(corrected: readonly Replacement[], { words, unknown, others, isOnly }: WordsOfQuery): number {
  if (corrected.length === 0) return 1;
  const misspelt = unknown.length - corrected.filter(({ isSplit }) => isSplit).length;
  const several = SEVERAL_UNKNOWN ** Math.max(0, misspelt - Math.max(1, words.length / WORDS_PER_UNKNOWN));
  if (!corrected.some(({ from }) => others.has(from))) return several;
  return several * (isOnly ? OTHER_WORD_BESIDE : OTHER_WORD);
}

/** Question words need not be on a page, and the beginning of a word is none. */
const isAccepted = ({ word }: TypedWord, entry: WordEntry | undefined, languages: readonly string[]): boolean =>
  entry?.isKnown === true || (entry?.found.length ?? 0) > 0 || isQuestionWord(word, questionLanguages(languages));

function questionLanguages(languages: readonly string[]): readonly string[] {
  const spoken = languages.map(primaryLanguage).filter((language) => language !== '');
  return spoken.length > 0 ? spoken : ['en'];
}

/** An unknown word of one or two letters counts neither for nor against a page: it is what a typo left. */
function withoutFragments(terms: readonly QueryTerm[], unknown: readonly TypedWord[]): readonly QueryTerm[] {
  const fragments = new Set(unknown.flatMap(({ word }) => (word.length <= LONGEST_FRAGMENT ? [word] : [])));
  const rest = terms.map((term) => (fragments.has(term.term) ? { ...term, question: true } : term));
  return rest.some(({ question }) => !question) ? rest : terms;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let end = 0;
  for (const { from, to } of replacements) {
    result += text.slice(end, from.start) + to;
    end = from.end;
  }
  return result + text.slice(end);
}

type Completion = Pick<QueryPlan, 'isLastKnown' | 'isLastUnfinished' | 'completed'>;

/**
 * Completions that are only other forms of the word, as its plural, add no pages. Pages of a number are not counted.
 */
function completion(
  terms: readonly QueryTerm[],
  { word, forms: own }: TypedWord,
  { isKnown, pages, found }: WordEntry = { isKnown: false, pages: 0, found: [] },
  languages: readonly string[],
): Completion | undefined {
  if (isKnown && !isSpelled(word)) return undefined;
  const isOther = (other: SpelledWord) => formsOf(other.word, languages).some((form) => !own.includes(form));
  const completions = pages === 0 ? found : found.filter(isOther);
  const [most] = completions;
  if (!most) return undefined;
  const position = Math.max(0, ...terms.map((term) => term.position));
  const forms = [...new Set(completions.flatMap((other) => formsOf(other.word, languages)))];
  return {
    isLastKnown: pages > 0,
    isLastUnfinished: most.pages > UNFINISHED * pages,
    completed: [
      ...terms.filter((term) => term.position !== position),
      { term: word, forms, question: false, position },
    ],
  };
}
