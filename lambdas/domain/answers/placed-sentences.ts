import { passageBlocks } from '../../text/chunking/passage-blocks.ts';
import { type QuotedLine, quotedLines } from './quoted-lines.ts';
import type { Source } from './sources.ts';

/** A sentence and its place. */
export type PlacedSentence = Omit<QuotedLine, 'lead' | 'context'> & {
  /** Index of its source. */
  readonly source: number;
  /** In reading order among the sentences of all passages. Those of two passages are not next to each other. */
  readonly index: number;
  /** Index of its paragraph, list or code sample. */
  readonly block: number;
  /** Index of the sentence that announces its list or code sample, or of the item above it. */
  readonly lead: number | undefined;
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
const MAX_SENTENCES = 200;
/** Sentences of a page that say what it is about. */
const LEAD = 8;
const QUESTION = /[?\uff1f\u061f\u037e]['"\u2019\u201d)\]]{0,2}$/;

export function placedSentences(sources: readonly Source[]): readonly PlacedSentence[] {
  const placed: PlacedSentence[] = [];
  for (const [source, { title, parts }] of sources.entries())
    for (const part of parts) {
      const last = placed.at(-1);
      placed.push(
        ...sentencesOfPart(part, { source, title, index: last ? last.index + 2 : 0, block: last ? last.block + 1 : 0 }),
      );
    }
  return placed;
}

type Start = Pick<PlacedSentence, 'source' | 'index' | 'block'> & { readonly title: string };

function sentencesOfPart(
  { text, headings, ord, score: relevance }: Source['parts'][number],
  { source, title, ...start }: Start,
): readonly PlacedSentence[] {
  let above: readonly string[] = [title, ...headings];
  return quotedLines(passageBlocks(text))
    .slice(0, MAX_SENTENCES)
    .map(({ context, lead, ...line }, i) => {
      const isQuestion = QUESTION.test(line.text);
      const placed: PlacedSentence = {
        ...line,
        source,
        index: start.index + i,
        block: start.block + line.block,
        isQuestion,
        relevance,
        above: context.length > 0 ? [...above, ...context] : above,
        lead: lead === undefined ? undefined : start.index + lead,
        isLead: ord === 0 && i < LEAD,
      };
      if (isQuestion) above = [title, ...headings, line.text];
      return placed;
    });
}
