import { isUnspaced } from '../../text/words/count-words.ts';
import type { Sentence } from './answer-sentences.ts';

/*
 * Weights of the three features that tell a sentence that answers from one that is only about the same subject:
 * - `words`: the share of the question's terms that it has, counting near words (`nearTerms`). Rare terms weigh more.
 * - `beyondHeading`: the same share, of the terms that neither the title nor the headings have.
 * - `meaning`: the nearness of sentence and question.
 */
const WEIGHTS = { words: 0.5, beyondHeading: 0.25, meaning: 0.25 } as const;
/** Subtracted for a line without the form of a sentence, and for a sentence without the fact that is asked for. */
const FLAW = 0.15;
/** Least confidence of an English sentence. Tuned on half of the questions of bench/questions.ts. */
const LEAST = 0.3;
/** Lower bounds for other languages: near words are known for English only, function words not for every language. */
const MIN_OTHERS = 0.12;
const MIN_UNSPACED = 0.06;

/** Tells whether a sentence answers the question. `weights`: one per term of the question. */
export const answers = (sentence: Sentence, weights: readonly number[]): boolean =>
  sentence.hasFact !== false && confidence(sentence, weights) >= leastFor(sentence);

export function confidence(
  { nearTerms, headingTerms, meaning, isLoose }: Sentence,
  weights: readonly number[],
): number {
  let [all, covered, beyond, coveredBeyond] = [0, 0, 0, 0];
  for (const [term, weight] of weights.entries()) {
    const near = weight * (nearTerms[term] ?? 0);
    all += weight;
    covered += near;
    if (headingTerms.has(term)) continue;
    beyond += weight;
    coveredBeyond += near;
  }
  return (
    WEIGHTS.words * share(covered, all) +
    WEIGHTS.beyondHeading * share(coveredBeyond, beyond) +
    WEIGHTS.meaning * meaning -
    (isLoose ? FLAW : 0)
  );
}

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 1);

function leastFor({ text, isEnglish }: Sentence): number {
  if (isEnglish) return LEAST;
  return isUnspaced(text) ? MIN_UNSPACED : MIN_OTHERS;
}
