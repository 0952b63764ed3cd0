import { passageBlocks } from '../../text/chunking/passage-blocks.ts';
import { type QuotedLine, quotedLines } from './quoted-lines.ts';
import type { Source } from './sources.ts';

/** A sentence and its position in the sources. */
export type PlacedSentence = Omit<QuotedLine, 'lead' | 'context'> & {
  /** Index of its source. */
  readonly source: number;
  /** Position in reading order over all passages. Leaves a gap between passages, so that they are not adjacent. */
  readonly index: number;
  /** Index of its paragraph, list or code sample. */
  readonly block: number;
  /** Index of the sentence that introduces its list or code sample, or of the parent item. */
  readonly lead: number | undefined;
  /** The sentence is one of the first of its page. */
  readonly isLead: boolean;
  /** The sentence is itself a question, as in an FAQ, and answers nothing. */
  readonly isQuestion: boolean;
  /** The relevance of its passage. */
  readonly relevance: number;
  /** The title, the headings, the preceding FAQ question, and further context such as a list's lead. */
  readonly above: readonly string[];
};

/** Safety bound: a chunk has fewer. */
const MAX_SENTENCES = 200;
/** Number of first sentences of a page, which usually introduce its subject. */
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
