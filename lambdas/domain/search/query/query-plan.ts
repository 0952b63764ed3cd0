import { MAX_QUERY_TERMS, type QueryTerm, queryTerms } from '../../../text/words/query-terms.ts';
import { isQuestionWord } from '../../../text/words/question-words.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexReader, WordEntry } from '../../ports/index-reader.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { ChosenCorrections, WordsOfQuery } from './choose-corrections.ts';
import { completion } from './completion.ts';
import type { LookUp, Replacement } from './correct-words.ts';
import { questionLanguages, type TypedWord, typedWords, wordQuery } from './query-words.ts';
import type { Reading } from './read-query.ts';

/** `from` as typed, `to` as searched. */
export type Correction = { readonly from: string; readonly to: string };

/** The texts, terms and factors that a query is searched by. */
export type QueryPlan = {
  /** The query with its corrections. */
  readonly text: string;
  readonly corrections: readonly Correction[];
  /** Factor of all scores. Below 1 if corrections are uncertain, such as with several unknown words. */
  readonly confidence: number;
  /** Words that the site does not have, as typed. */
  readonly unknownWords: number;
  readonly terms: readonly QueryTerm[];
  /** The same terms with the completions of the last word in its place, if it has some. */
  readonly completed?: readonly QueryTerm[];
  /** Pages have the last word as a whole, so they come before those with its completions. */
  readonly isLastKnown: boolean;
  /** A completion of the last word is much more frequent than the word. */
  readonly isLastUnfinished: boolean;
  /** Alternative texts to search if the query finds nothing. */
  readonly otherTexts: readonly string[];
};

type Deps = {
  readonly scopes: readonly [SiteScope, ...SiteScope[]];
  readonly languages: readonly string[];
  readonly index: Pick<IndexReader, 'vocabulary'>;
  readonly isWord?: Embedder['isWord'];
};

/** Least letters of a last word to complete. */
const MIN_PREFIX_LENGTH = 2;
const MAX_FRAGMENT_LENGTH = 2;

const UNCHANGED = {
  corrections: [],
  confidence: 1,
  unknownWords: 0,
  isLastKnown: true,
  isLastUnfinished: false,
  otherTexts: [],
};

/** Plans the search for one reading of a query, by the vocabulary of the sites. */
export async function planQuery(reading: Reading, deps: Deps): Promise<QueryPlan> {
  const { text } = reading;
  const { scopes, languages, index, isWord } = deps;
  const words = typedWords(text, languages);
  if (reading.exact || words.length > MAX_QUERY_TERMS)
    return { ...UNCHANGED, text, terms: queryTerms(text, languages) };
  const lookUp: LookUp = async (asked) => (asked.length > 0 ? index.vocabulary({ scopes, words: asked }) : []);
  const query = await lookedUp(words, reading, languages, lookUp);
  const paired = await pairCorrection(text, query.unknown, lookUp);
  if (paired) {
    const plan = await planQuery({ ...reading, text: replaced(text, [paired]) }, deps);
    return { ...plan, corrections: [shown(text, paired), ...plan.corrections] };
  }
  const { replacements, ...chosen } = await chosenCorrections(query, reading, { lookUp, isWord });
  const corrected = replaced(text, replacements);
  const terms = withoutFragments(queryTerms(corrected, languages), query.unknown);
  const { last } = query;
  const completed = last && completion(terms, last.word, last.entry, languages);
  return {
    ...UNCHANGED,
    ...chosen,
    text: corrected,
    terms,
    corrections: replacements.map((replacement) => shown(text, replacement)),
    unknownWords: query.unknown.length,
    ...completed,
    otherTexts: otherTexts(text, query, completed),
  };
}

type LookedUp = WordsOfQuery & {
  /** The last word with its vocabulary entry, if it may be unfinished. */
  readonly last: { readonly word: TypedWord; readonly entry: WordEntry | undefined } | undefined;
};

async function lookedUp(
  words: readonly TypedWord[],
  { quoted, completes }: Reading,
  languages: readonly string[],
  lookUp: LookUp,
): Promise<LookedUp> {
  const last = completes ? words.at(-1) : undefined;
  const finds = (word: TypedWord) =>
    word === last && word.word.length >= MIN_PREFIX_LENGTH ? 'completions' : undefined;
  const entries = await lookUp(words.map((word) => wordQuery(word, finds(word))));
  const inQuotes = new Set(quoted.flatMap((phrase) => typedWords(phrase, []).map(({ word }) => word)));
  const isFree = ({ word }: TypedWord) => !inQuotes.has(word);
  return {
    words,
    languages,
    free: words.filter(isFree),
    unknown: words.filter((word, i) => isFree(word) && !isAccepted(word, entries[i], languages)),
    last: last && { word: last, entry: entries.at(-1) },
  };
}

/* The corrections are loaded at the first typo, so that a function starts faster. */

async function pairCorrection(text: string, unknown: readonly TypedWord[], lookUp: LookUp) {
  if (unknown.length === 0) return undefined;
  const { correctPairs } = await import('./correct-pairs.ts');
  return correctPairs(text, unknown, lookUp);
}

async function chosenCorrections(
  query: WordsOfQuery,
  reading: Reading,
  deps: { readonly lookUp: LookUp; readonly isWord: Embedder['isWord'] },
): Promise<ChosenCorrections> {
  if (!reading.correctsKnown && (!reading.correctsWords || query.unknown.length === 0))
    return { replacements: [], confidence: 1 };
  const { chooseCorrections } = await import('./choose-corrections.ts');
  return chooseCorrections(query, reading, deps);
}

const shown = (text: string, { from, to }: Replacement): Correction => ({ from: text.slice(from.start, from.end), to });

/** Returns alternative texts: unknown identifiers in parts, and the query without an unfinished last word. */
function otherTexts(
  text: string,
  { unknown, last }: LookedUp,
  completed: Pick<QueryPlan, 'isLastKnown'> | undefined,
): readonly string[] {
  const isBegun = last?.word.word.length === 1 || completed?.isLastKnown === false;
  const before = isBegun ? [text.slice(0, last?.word.start)] : [];
  return [...inParts(text, unknown), ...before].filter((other) => /\S/.test(other));
}

/** Splits unknown identifiers into words: "max_old_space" if pages have "--max-old-space-size". */
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

/** Accepts known words, unfinished last words, and question words, which pages need not contain. */
const isAccepted = ({ word }: TypedWord, entry: WordEntry | undefined, languages: readonly string[]): boolean =>
  entry?.isKnown === true || (entry?.found.length ?? 0) > 0 || isQuestionWord(word, questionLanguages(languages));

/** Gives unknown words of one or two letters no weight: they are probably left over from a typo. */
function withoutFragments(terms: readonly QueryTerm[], unknown: readonly TypedWord[]): readonly QueryTerm[] {
  const fragments = new Set(unknown.flatMap(({ word }) => (word.length <= MAX_FRAGMENT_LENGTH ? [word] : [])));
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
