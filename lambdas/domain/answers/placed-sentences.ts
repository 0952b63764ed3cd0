import { isUnspaced } from '../../text/words/count-words.ts';
import { sentencesOf } from '../../text/words/sentences.ts';
import type { Source } from './sources.ts';

/** A sentence and its place. */
export type PlacedSentence = {
  readonly text: string;
  /** Index of its source. */
  readonly source: number;
  /** In reading order among the sentences of all passages. Those of two passages are not next to each other. */
  readonly index: number;
  /** Index of its paragraph, list or code sample. */
  readonly block: number;
  /** The sentence begins a line. */
  readonly startsLine: boolean;
  /** The sentence is one of the first of its page. */
  readonly isLead: boolean;
  /** The sentence is a question, as in a list of frequent questions, and answers nothing. */
  readonly isQuestion: boolean;
  /** The relevance of its passage. */
  readonly relevance: number;
  /** The title, the headings, and the question in the text that it may answer. */
  readonly above: readonly string[];
};

/** A passage is a chunk, which is shorter. */
const MOST_SENTENCES = 200;
/** Sentences of a page that say what it is about. */
const LEAD = 8;
/** Blocks are separated by blank lines (`plainText`). */
const BLOCKS = /\n{2,}/;
const QUESTION = /[?\uff1f\u061f\u037e]['"\u2019\u201d)\]]{0,2}$/;

export function placedSentences(sources: readonly Source[]): readonly PlacedSentence[] {
  const placed: PlacedSentence[] = [];
  let index = 0;
  let block = 0;
  for (const [source, { title, parts }] of sources.entries())
    for (const { text, headings, ord, score: relevance } of parts) {
      const sentences = text.split(BLOCKS).flatMap((part) => {
        block++;
        return sentencesIn(part).map((sentence) => ({ ...sentence, block }));
      });
      let above: readonly string[] = [title, ...headings];
      for (const [i, sentence] of sentences.slice(0, MOST_SENTENCES).entries()) {
        const isQuestion = QUESTION.test(sentence.text);
        placed.push({
          ...{ ...sentence, source, index: index++, above, isQuestion, relevance, isLead: ord === 0 && i < LEAD },
        });
        if (isQuestion) above = [title, ...headings, sentence.text];
      }
      index++;
    }
  return placed;
}

const sentencesIn = (block: string) =>
  block
    .split('\n')
    .flatMap((line) =>
      withWholeBrackets(sentencesOf(line)).map((sentence, i) => ({ text: sentence, startsLine: i === 0 })),
    );

/** A full stop within brackets, as in "(ALTER TABLE ... ENABLE)", ends no sentence. */
function withWholeBrackets(parts: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last !== undefined && openBrackets(last) > 0 && openBrackets(part) < 0)
      whole[whole.length - 1] = `${last}${isUnspaced(last) ? '' : ' '}${part}`;
    else whole.push(part);
  }
  return whole;
}

const openBrackets = (text: string): number => text.split(/[(\uff08]/).length - text.split(/[)\uff09]/).length;
