import { type QueryTerm, queryTerms } from '../language/query-terms.ts';
import { sentencesOf } from '../language/sentences.ts';
import { findTerms } from '../language/terms.ts';
import { safeMarkdown } from './safe-markdown.ts';
import { type Sentence, SentenceSelection } from './sentence-selection.ts';
import type { Source } from './sources.ts';

/** With the numbers of the sources, the answer has at most 120 words. */
const MOST_WORDS = 117;
/** Pages that are quoted: more make a mosaic. */
const MOST_QUOTED = 3;
/** Of the best source: a weaker one is not quoted. */
const LEAST_SHARE = 0.7;
/** Texts are chunks, which are shorter. */
const MOST_SENTENCES = 200;
/** Without any word in common, the beginning of the best passage answers. */
const OPENING_WORDS = 60;

export type Quoted = { readonly answer: string; readonly sources: readonly Source[] };

/** The best sentences of the sources, whole and in reading order, at most 120 words, with only the quoted sources. */
export function extractiveAnswer(question: string, sources: readonly Source[], languages: readonly string[]): Quoted {
  const best = sources[0]?.relevance ?? 0;
  const quotable = sources.slice(0, MOST_QUOTED).filter(({ relevance }) => relevance >= LEAST_SHARE * best);
  const terms = queryTerms(question, languages);
  const bySource = quotable.map((source) => ({ source, sentences: sentencesIn(source, terms) }));
  // A table of contents has many words of the question, and answers nothing.
  const answering = bySource.filter(({ sentences }) =>
    sentences.some(({ terms: found, isLoose }) => !isLoose && found.size > 0),
  );
  const chosen = answering.length > 0 ? answering : bySource;
  const sentences = chosen.flatMap((one, index) => one.sentences.map((sentence) => ({ ...sentence, source: index })));
  const of = chosen.map(({ source }) => source);
  const taken = new SentenceSelection(sentences, { sources: of, terms, room: MOST_WORDS }).takeAll();
  return written(taken.length > 0 ? taken : opening(sentences), of);
}

/** Blocks are separated by blank lines (`plainText`). */
const BLOCKS = /\n{2,}/;
/** Such lines are headings, menus, rows of tables, comments in code and references more often than answers. */
const LOOSE_LINE = new RegExp(
  String.raw`^(?:--|/[/*]|#|\*|See (?:also )?|Refer to |(?:For )?(?:[Mm]ore|[Ff]urther) (?:information|details) )` +
    String.raw`| [|\u2192] |(?<![.!?:\u2026\u3002\uff01\uff1f]["'\u2019\u201d)\]]?)$`,
);
/** What a sentence is about stands at its beginning. */
const FIRST_WORDS = 3;

function sentencesIn({ text, language }: Source, terms: readonly QueryTerm[]): readonly Omit<Sentence, 'source'>[] {
  const asked = terms.flatMap(({ question, forms }, index) =>
    question ? [] : forms.map((form) => [form, index] as const),
  );
  const wanted = new Set(asked.map(([form]) => form));
  const termsIn = (part: string): ReadonlySet<number> => {
    const found = new Set(findTerms(wanted, part, language).map(({ term }) => term));
    return new Set(asked.flatMap(([form, term]) => (found.has(form) ? [term] : [])));
  };
  return text
    .split(BLOCKS)
    .flatMap((part, block) => withWholeBrackets(sentencesOf(part)).map((sentence) => ({ text: sentence, block })))
    .slice(0, MOST_SENTENCES)
    .map((sentence, index) => ({
      ...{ ...sentence, index, words: countWords(sentence.text), isLoose: LOOSE_LINE.test(sentence.text) },
      terms: termsIn(sentence.text),
      firstTerms: termsIn(sentence.text.split(/\s+/, FIRST_WORDS).join(' ')),
    }));
}

/** A full stop within brackets, as in "(ALTER TABLE ... ENABLE)", ends no sentence. */
function withWholeBrackets(parts: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last !== undefined && openBrackets(last) > 0 && openBrackets(part) < 0)
      whole[whole.length - 1] = `${last} ${part}`;
    else whole.push(part);
  }
  return whole;
}

const openBrackets = (text: string): number => text.split('(').length - text.split(')').length;

const countWords = (text: string): number => text.split(/\s+/).length;

/** The beginning of the best passage; a single sentence that is too long is cut. */
function opening(sentences: readonly Sentence[]): readonly Sentence[] {
  const taken: Sentence[] = [];
  let words = 0;
  for (const sentence of sentences.filter(({ source }) => source === 0)) {
    if (words + sentence.words > (taken.length > 0 ? OPENING_WORDS : MOST_WORDS)) break;
    taken.push(sentence);
    words += sentence.words;
  }
  const [first] = sentences;
  if (taken.length > 0 || !first) return taken;
  return [{ ...first, text: `${first.text.split(/\s+/).slice(0, MOST_WORDS).join(' ')}…` }];
}

/** Sentences of a page in their order, each page with its number at the end. */
function written(sentences: readonly Sentence[], sources: readonly Source[]): Quoted {
  const bySource = Map.groupBy(sentences, ({ source }) => source);
  const cited = [...bySource.keys()].sort((a, b) => a - b);
  const urls = new Set(sources.map(({ url }) => url));
  const paragraphs = cited.map((source, position) => {
    const inOrder = (bySource.get(source) ?? []).toSorted((a, b) => a.index - b.index);
    const text = inOrder
      .map(({ text, isListed }) => (isListed ? `\n- ${unlisted(text)}` : `\n${oneLine(text)}`))
      .join('');
    const inLines = text.replace(/\n(?!- )/g, ' ').trim();
    return `${safeMarkdown(inLines, urls)} [${position + 1}]`;
  });
  return { answer: paragraphs.join('\n\n'), sources: cited.flatMap((source) => sources[source] ?? []) };
}

/** Without a sign of its own. */
const unlisted = (text: string): string => oneLine(text).replace(/^(?:[-*\u2022]|\d{1,3}[.)])\s+/, '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
