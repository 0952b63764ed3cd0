import { isUnspaced } from '../../text/words/count-words.ts';
import type { Sentence } from './answer-sentences.ts';

/*
 * Whether a sentence answers a question, and is not only about the same subject: half of it by the question's words in
 * it (rare words and words of a near meaning as in `nearTerms`), a quarter by those that the title and the headings do
 * not have, which say what is asked about the subject, and a quarter by the nearness of the whole.
 */
const WEIGHTS = { words: 0.5, beyondHeading: 0.25, meaning: 0.25 } as const;
/** Subtracted for a line without the form of a sentence, and for a sentence without the fact that is asked for. */
const FLAW = 0.15;
/** Tuned on half of the questions of bench/questions.ts. */
const LEAST = 0.3;
/** Words of a near meaning are known for English only, and function words not for all languages. */
const MIN_OTHERS = 0.12;
const MIN_UNSPACED = 0.06;

/** `weights` are those of the question's terms. */
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
