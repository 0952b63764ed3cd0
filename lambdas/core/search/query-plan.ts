import { type QueryTerm, queryTerms } from '../language/query-terms.ts';
import { isQuestionWord } from '../language/question-words.ts';
import { primaryLanguage } from '../language/stemmer.ts';
import type { PageIndex, SiteScope, SpelledWord, WordEntry, WordQuery } from '../ports/page-index.ts';
import { bestCorrection, splits } from './corrections.ts';
import { formsOf, type TypedWord, typedWords } from './query-words.ts';

/** `from` as typed, `to` as searched. */
export type Correction = { readonly from: string; readonly to: string };

/** How a query is searched. */
export type QueryPlan = {
  /** With the corrections. */
  readonly text: string;
  readonly corrections: readonly Correction[];
  readonly terms: readonly QueryTerm[];
  /** The same terms with the completions of the last word in its place, if it has some. */
  readonly completed?: readonly QueryTerm[];
  /** Pages have the last word as a whole, so they come before those with its completions. */
  readonly isLastKnown: boolean;
  /** A completion of the last word is more frequent than the word. */
  readonly isLastUnfinished: boolean;
};

export type PlanRequest = {
  readonly text: string;
  /** Words in quotes, which are taken as they are. */
  readonly quoted: readonly string[];
  /** Whether the last word may be the beginning of a word. */
  readonly completes: boolean;
  readonly exact: boolean;
  /** Looks for misspellings among the words that the site has, too. */
  readonly correctsKnown?: boolean;
};

type Deps = {
  readonly scopes: readonly [SiteScope, ...SiteScope[]];
  readonly languages: readonly string[];
  readonly index: Pick<PageIndex, 'vocabulary'>;
};

/** Shorter beginnings of words are as likely to be words of their own. */
const SHORTEST_PREFIX = 2;
/** A misspelt word that the site has only with another ending: "reindx" for "reindexing". */
const SHORTEST_BEGINNING = 5;

export async function planQuery(request: PlanRequest, deps: Deps): Promise<QueryPlan> {
  const { text, exact } = request;
  const { languages } = deps;
  const asTyped = { text, corrections: [], terms: queryTerms(text, languages), ...FINISHED };
  if (exact) return asTyped;
  const words = typedWords(text);
  const last = request.completes ? words.at(-1) : undefined;
  const entries = await vocabulary(
    words.map((word) => wordQuery(word, languages, word === last && isPrefix(word) ? 'completions' : undefined)),
    deps,
  );
  const isComplete = (i: number) => words[i] === last && (entries[i]?.found.length ?? 0) > 0;
  const quoted = new Set(request.quoted.flatMap((phrase) => typedWords(phrase).map(({ word }) => word)));
  const unsure = words.filter(
    ({ word }, i) =>
      !quoted.has(word) && !isComplete(i) && (request.correctsKnown || !isAccepted(word, entries[i], languages)),
  );
  const replacements = await correctionsOf(unsure, { ...deps, onlyOne: request.correctsKnown === true });
  const corrected = replaced(text, replacements);
  const lastEntry = entries.at(-1);
  const lastWord = words.at(-1);
  const ownForms = new Set(formsOf(lastWord?.word ?? '', languages));
  const isOther = ({ word }: SpelledWord) => formsOf(word, languages).some((form) => !ownForms.has(form));
  const completions =
    last && lastEntry ? lastEntry.found.filter((found) => lastEntry.pages === 0 || isOther(found)) : [];
  const plan = {
    text: corrected,
    corrections: replacements.map(({ from, to }) => ({ from: text.slice(from.start, from.end), to })),
    terms: queryTerms(corrected, languages),
    isLastKnown: completions.length === 0 || (lastEntry?.pages ?? 0) > 0,
    isLastUnfinished: (completions[0]?.pages ?? 0) > (lastEntry?.pages ?? 0),
  };
  if (completions.length === 0 || !lastWord) return plan;
  const words_ = completions.map(({ word }) => word);
  return { ...plan, completed: withCompletions(plan.terms, lastWord.word, words_, languages) };
}

const FINISHED = { isLastKnown: true, isLastUnfinished: false } as const;

const isPrefix = ({ word }: TypedWord): boolean => word.length >= SHORTEST_PREFIX;

/** Question words need not be on a page. */
const isAccepted = (word: string, entry: WordEntry | undefined, languages: readonly string[]): boolean =>
  entry?.isKnown === true || isQuestionWord(word, questionLanguages(languages));

function questionLanguages(languages: readonly string[]): readonly string[] {
  const spoken = languages.map(primaryLanguage).filter((language) => language !== '');
  return spoken.length > 0 ? spoken : ['en'];
}

const wordQuery = ({ word }: { readonly word: string }, languages: readonly string[], find?: WordQuery['find']) => ({
  ...{ word, forms: formsOf(word, languages) },
  ...(find && { find }),
});

const vocabulary = (words: readonly WordQuery[], { scopes, index }: Deps): Promise<readonly WordEntry[]> =>
  words.length === 0 ? Promise.resolve([]) : index.vocabulary({ scopes, words });

type Replacement = { readonly from: TypedWord; readonly to: string };

/** The most likely correction of each word that has one. */
async function correctionsOf(
  words: readonly TypedWord[],
  deps: Deps & { readonly onlyOne: boolean },
): Promise<readonly Replacement[]> {
  const { languages } = deps;
  const parts = words.map(({ word }) => splits(word));
  const flat = [...new Set(parts.flat(2))];
  const entries = await vocabulary(
    [
      ...words.map((word) => wordQuery(word, languages, 'similar')),
      ...flat.map((word) => wordQuery({ word }, languages)),
    ],
    deps,
  );
  const known = new Set(flat.filter((_, i) => entries[words.length + i]?.isKnown));
  const found = words.map((from, i) => {
    const to = bestCorrection(from.word, entries[i]?.found ?? []);
    const split = to ? undefined : parts[i]?.find((both) => both.every((part) => known.has(part)));
    return { from, to: to?.word ?? split?.join(' '), gain: (to?.pages ?? 1) / (1 + (entries[i]?.pages ?? 0)) };
  });
  const unresolved = found.filter(({ from, to }) => to === undefined && from.word.length >= SHORTEST_BEGINNING);
  const begun = await vocabulary(
    unresolved.map(({ from }) => wordQuery(from, languages, 'similarCompletions')),
    deps,
  );
  const replacements = found.flatMap((one) => {
    const to = one.to ?? begun[unresolved.indexOf(one)]?.found[0]?.word;
    return to === undefined ? [] : [{ ...one, to }];
  });
  if (!deps.onlyOne) return replacements;
  return replacements.toSorted((a, b) => b.gain - a.gain).slice(0, 1);
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

function withCompletions(
  terms: readonly QueryTerm[],
  term: string,
  completions: readonly string[],
  languages: readonly string[],
): readonly QueryTerm[] {
  const position = Math.max(0, ...terms.map((each) => each.position));
  const forms = [...new Set(completions.flatMap((word) => formsOf(word, languages)))];
  return [...terms.filter((each) => each.position !== position), { term, forms, question: false, position }];
}
