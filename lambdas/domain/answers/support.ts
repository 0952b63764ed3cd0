import { COSINE_SCALES } from '../../text/words/cosine-scale.ts';
import { queryTerms } from '../../text/words/query-terms.ts';
import { isQuestionWord } from '../../text/words/question-words.ts';
import { sentencesOf } from '../../text/words/sentences.ts';
import { termsByPosition } from '../../text/words/terms.ts';
import type { EmbeddedText, Embedder } from '../ports/embedder.ts';
import { hasQuantities, merged, type Quantities, quantitiesOf, statedQuantities } from './quantities.ts';
import type { Source } from './sources.ts';

/*
 * A passage supports a sentence by three features: the share of the sentence's words in the passage, their share in the
 * best window of sentences, and the nearness of the nearest window. Weights and bound are tuned on the answers of
 * bench/answers.ts. A number, an address or a negation that the passage lacks refutes the sentence alone, because such
 * sentences share all other words.
 */
const WEIGHTS = { passage: 0.35, window: 0.25, meaning: 0.4 } as const;
export const MIN_SUPPORT = 0.4;
/** Subtracted for each name that the passage does not have. */
const UNKNOWN_NAME = 0.15;
const WINDOW = 3;
const MAX_WINDOWS = 100;
/** A sentence that has this share of the words states the same or the opposite. */
const SAME_WORDS = 0.7;
/** A negation counts in sentences that have at least this fraction of the closest sentence's share of words. */
const NEAR_SHARE = 0.7;

type Statement = { readonly terms: ReadonlySet<string>; readonly isNegative: boolean };
/** Up to `WINDOW` consecutive sentences of a passage. `first` is the first of them. */
type Window = {
  readonly terms: ReadonlySet<string>;
  readonly first: Statement;
  readonly embedded: EmbeddedText | undefined;
};

/** A source, prepared for comparing sentences with it. */
export type SupportEvidence = {
  readonly language: string;
  readonly terms: ReadonlySet<string>;
  readonly quantities: Quantities;
  readonly addresses: ReadonlySet<string>;
  readonly windows: readonly Window[];
};

/** Prepares a source for comparisons. Called once per source and answer. */
export async function supportEvidence({ headed, language }: Source, embedder: Embedder): Promise<SupportEvidence> {
  const sentences = sentencesOf(headed).slice(0, MAX_WINDOWS);
  const windows = sentences.map((_, i) => sentences.slice(i, i + WINDOW).join(' '));
  const vectors = await embedder.embedTexts(windows.map((text) => ({ text, language })));
  return {
    language,
    terms: termsOf(headed, language),
    quantities: quantitiesOf(headed, language || 'en'),
    addresses: addressesOf(headed),
    windows: windows.map((text, i) => ({
      terms: termsOf(text, language),
      first: statement(sentences[i] ?? '', language),
      embedded: vectors[i],
    })),
  };
}

/** Returns the joint evidence of two sources. */
export const together = (a: SupportEvidence, b: SupportEvidence): SupportEvidence => ({
  language: a.language,
  terms: new Set([...a.terms, ...b.terms]),
  quantities: merged(a.quantities, b.quantities),
  addresses: new Set([...a.addresses, ...b.addresses]),
  windows: [...a.windows, ...b.windows],
});

/** Returns how well the evidence supports a sentence, 0 to 1; undefined for a sentence without words to compare. */
export async function supportOf(
  sentence: string,
  evidence: SupportEvidence,
  embedder: Embedder,
): Promise<number | undefined> {
  const { language } = evidence;
  const words = queryTerms(sentence, [language]).filter(({ question, wholeAt }) => !question && wholeAt === undefined);
  if (words.length === 0 || words.every(({ term }) => isQuestionWord(term, [language || 'en']))) return undefined;
  const share = (terms: ReadonlySet<string>) =>
    words.filter(({ forms }) => forms.some((form) => terms.has(form))).length / words.length;
  if (!hasQuantities(evidence.quantities, statedQuantities(sentence, language || 'en'))) return 0;
  for (const address of addressesOf(sentence)) if (!evidence.addresses.has(address)) return 0;
  if (contradicts(isNegative(sentence, language), evidence, share)) return 0;
  const [embedded] = await embedder.embedTexts([{ text: sentence, language }]);
  const best = (of: (window: Window) => number) => Math.max(0, ...evidence.windows.map(of));
  const support =
    WEIGHTS.passage * share(evidence.terms) +
    WEIGHTS.window * best(({ terms }) => share(terms)) +
    WEIGHTS.meaning * best((window) => nearness(embedded, window.embedded));
  const unknown = namesOf(sentence).filter(
    (name) => ![...termsOf(name, language)].some((term) => evidence.terms.has(term)),
  );
  return Math.max(0, support - UNKNOWN_NAME * unknown.length);
}

const statement = (text: string, language: string): Statement => ({
  terms: termsOf(text, language),
  isNegative: isNegative(text, language),
});

/** Tells whether a sentence negates what the passage does not, or states what the passage only negates. */
function contradicts(
  negative: boolean,
  { windows }: SupportEvidence,
  share: (terms: ReadonlySet<string>) => number,
): boolean {
  if (negative) {
    const shares = windows.map(({ first }) => share(first.terms));
    const near = NEAR_SHARE * Math.max(0, ...shares);
    return !windows.some(({ first }, i) => first.isNegative && (shares[i] ?? 0) >= near);
  }
  const same = windows.filter(({ first }) => share(first.terms) >= SAME_WORDS);
  return same.length > 0 && same.every(({ first }) => first.isNegative);
}

/** Returns the cosine on the scale of its kind of vector, from unrelated (0) to nearly the same (1). */
function nearness(a: EmbeddedText | undefined, b: EmbeddedText | undefined): number {
  if (!a || !b || a.block !== b.block) return 0;
  let cosine = 0;
  for (const [i, x] of a.vector.entries()) cosine += x * (b.vector[i] ?? 0);
  const { low, high } = COSINE_SCALES[a.block];
  return Math.min(1, Math.max(0, (cosine - low) / (high - low)));
}

const termsOf = (text: string, language: string): ReadonlySet<string> =>
  new Set(termsByPosition(text, language).flat());

/** Link targets are removed: only the label counts as text. */
const LINK_TARGET = /\]\([^()\s]{0,2048}\)/g;
const LETTER = String.raw`[\p{L}\p{N}_-]`;
const DOT = String.raw`[.\u3002\uff0e\uff61]`;
const ENDING = String.raw`(?:(?!\p{Lu}\p{Ll})\p{L}){2,24}(?![\p{L}\p{N}])`;
/**
 * Matches hosts and file names, also with the dots of other scripts. The last label is not a capitalised word, which
 * would be the next sentence. A match begins only at the start of a run of labels, so that long runs take linear time.
 */
const ADDRESS = new RegExp(`(?<!${LETTER}${DOT}?)${LETTER}+(?:${DOT}${LETTER}+)*${DOT}${ENDING}`, 'gu');
const addressesOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.replace(LINK_TARGET, ']').matchAll(ADDRESS), ([address]) => address.toLowerCase()));

const NEGATIONS: Readonly<Record<string, RegExp>> = {
  en: /\b(?:not|no|never|none|cannot|neither|nor)\b|n['\u2019]t\b/i,
  de: /\b(?:nicht|kein\p{L}*|nie|niemals|weder)\b/iu,
  es: /\b(?:no|nunca|ning\p{L}*|tampoco)\b/iu,
  fr: /\b(?:ne|pas|jamais|aucun\p{L}*)\b|\bn['\u2019]/iu,
  it: /\b(?:non|mai|nessun\p{L}*)\b/iu,
  nl: /\b(?:niet|geen|nooit)\b/iu,
  pt: /\b(?:n\u00e3o|nunca|nenhum\p{L}*)\b/iu,
};
const isNegative = (text: string, language: string): boolean => NEGATIONS[language || 'en']?.test(text) ?? false;

/** Capitalised words inside a sentence. In most languages they are names. */
const NAME = /(?=\p{Lu})(?<=[\p{L}\p{N},;:]\s+)[\p{L}\p{N}]{2,}(?:[-_.][\p{L}\p{N}]+)*/gu;
const namesOf = (sentence: string): readonly string[] => Array.from(sentence.matchAll(NAME), ([name]) => name);
