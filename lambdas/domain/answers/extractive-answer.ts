import { longPattern } from '../../text/long-pattern.ts';
import { firstWords } from '../../text/words/count-words.ts';
import type { Embedder } from '../ports/embedder.ts';
import { type Sentence, sentencesFor } from './answer-sentences.ts';
import { codeBlock, safeMarkdown } from './safe-markdown.ts';
import { isTermLine, type SelectedSentence, SentenceSelection } from './sentence-selection.ts';
import type { Source } from './sources.ts';

/** Leaves space for three citation numbers: the answer has at most 120 words. */
const MAX_WORDS = 117;
/** Most pages that an answer quotes. More make it incoherent. */
const MAX_QUOTED = 3;
/** Sources searched for sentences. */
const MAX_READ = 6;
/** Least relevance of a quoted source, as a share of the best source's. */
const MIN_SHARE = 0.7;
/** If no sentence is selected, the answer is the beginning of the best passage, of this length. */
const OPENING_WORDS = 60;

/** Matches how-to questions, which code samples often answer. */
const HOW = longPattern(
  String.raw`
    ^(?:how (?:do|does|can|could|should|to|would)|what (?:command|is the (?:command|syntax|way))|show me
    |(?:wie|c\u00f3mo|comment|come|hoe|como) )`,
  'i',
);

export type Quoted = {
  readonly answer: string;
  readonly sources: readonly Source[];
  /** At least one quoted sentence answers the question. */
  readonly bears: boolean;
};

/**
 * Quotes the best sentences of the sources, whole and in reading order, at most 120 words. Returns only the quoted
 * sources.
 */
export async function extractiveAnswer(
  question: string,
  sources: readonly Source[],
  languages: readonly string[],
  embedder: Embedder,
): Promise<Quoted> {
  const best = sources[0]?.relevance ?? 0;
  const quotable = sources.slice(0, MAX_READ).filter(({ relevance }) => relevance >= MIN_SHARE * best);
  const { sentences, terms, kind } = await sentencesFor(question, quotable, languages, embedder);
  const selection = new SentenceSelection(sentences, {
    terms,
    kind,
    room: MAX_WORDS,
    showsCode: HOW.test(question.trim()),
  });
  const taken = selection.takeAll();
  return { ...written(taken.length > 0 ? taken : opening(sentences), quotable), bears: selection.bears };
}

/** Returns the beginning of the best passage. Cuts its first sentence if that alone is too long. */
function opening(sentences: readonly Sentence[]): readonly Sentence[] {
  const taken: Sentence[] = [];
  let words = 0;
  for (const sentence of sentences.filter(({ source }) => source === 0)) {
    if (words + sentence.words > (taken.length > 0 ? OPENING_WORDS : MAX_WORDS)) break;
    taken.push(sentence);
    words += sentence.words;
  }
  const [first] = sentences;
  if (taken.length > 0 || !first) return taken;
  return [{ ...first, text: `${firstWords(first.text, MAX_WORDS)}…` }];
}

/** Writes one paragraph per source, in the order of the sources: its sentences in reading order, then its citation. */
function written(sentences: readonly SelectedSentence[], sources: readonly Source[]): Omit<Quoted, 'bears'> {
  const bySource = Map.groupBy(sentences, ({ source }) => source);
  const cited = [...bySource.keys()].slice(0, MAX_QUOTED).sort((a, b) => a - b);
  const urls = new Set(sources.map(({ url }) => url));
  const paragraphs = cited.map((source, position) => {
    const inOrder = (bySource.get(source) ?? []).toSorted((a, b) => a.index - b.index);
    return withCitation(runsOf(inOrder), position + 1, urls);
  });
  return { answer: paragraphs.join('\n\n'), sources: cited.flatMap((source) => sources[source] ?? []) };
}

type Run = { readonly text: string; readonly isCode: boolean };

/** Joins the sentences between code samples into one run each. */
function runsOf(sentences: readonly SelectedSentence[]): readonly Run[] {
  const runs: Run[] = [];
  const hasRows = sentences.filter(({ shape }) => shape === 'row').length > 1;
  for (const [i, sentence] of sentences.entries()) {
    const text = withoutTerm(sentence, sentences.slice(0, i));
    const taken: SelectedSentence =
      hasRows && sentence.shape === 'row' ? { ...sentence, isListed: true } : { ...sentence, text };
    const isCode = taken.shape === 'code';
    const line = isCode ? text : lineOf(taken, sentences[i - 1]);
    const last = runs.at(-1);
    if (last && !last.isCode && !isCode) runs[runs.length - 1] = { text: last.text + line, isCode };
    else runs.push({ text: line, isCode });
  }
  return runs;
}

/** Joins the runs. The citation follows the last run of text. */
function withCitation(runs: readonly Run[], number: number, urls: ReadonlySet<string>): string {
  const last = runs.findLastIndex(({ isCode }) => !isCode);
  const written = runs.map(({ text, isCode }, i) => {
    if (isCode) return codeBlock(text, urls);
    return safeMarkdown(text.trim(), urls) + (i === last ? ` [${number}]` : '');
  });
  return written.join('\n\n');
}

/** Returns the sentence with the white space before it. A term before its explanation gets a colon. */
function lineOf(sentence: SelectedSentence, before: SelectedSentence | undefined): string {
  const { text, shape, isListed, startsLine, block } = sentence;
  const isInList = isListed || (before?.isListed && before.block === block);
  if (isInList && startsLine) return `\n- ${unlisted(text)}`;
  const goesOn = isInList || !before?.isListed;
  const gap = goesOn ? gapAfter(before?.text ?? '') : '\n\n';
  const isTerm = !isListed && shape === 'sentence' && isTermLine(sentence);
  return `${gap}${oneLine(text)}${isTerm ? ':' : ''}`;
}

/** Removes the leading term if an earlier sentence of the same block already names it. */
function withoutTerm({ text, term, block }: SelectedSentence, before: readonly SelectedSentence[]): string {
  if (term === undefined) return text;
  const named = before.findLast((other) => other.block === block && (other.term !== undefined || other.text === term));
  return named && (named.term ?? named.text) === term ? text.slice(term.length + 2) : text;
}

/** Returns the separator after a sentence: none in Chinese and Japanese. */
const gapAfter = (sentence: string): string =>
  /[\u3002\uff01\uff1f][\u201d\u2019\u300d\u300f\uff09]*$/.test(sentence) ? '' : ' ';

/** Removes the bullet or number of a list item. */
const unlisted = (text: string): string => oneLine(text).replace(/^(?:[-*\u2022]|\d{1,3}[.)])\s+/, '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
