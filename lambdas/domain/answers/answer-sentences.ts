import { COSINE_SCALES } from '../../text/words/cosine-scale.ts';
import { countWords, firstWords } from '../../text/words/count-words.ts';
import { type QueryTerm, queryTerms } from '../../text/words/query-terms.ts';
import { questionLanguage } from '../../text/words/question-language.ts';
import { hasNoStops, OTHER_STOPS } from '../../text/words/sentences.ts';
import { termsAmong } from '../../text/words/terms.ts';
import type { EmbeddedText, Embedder } from '../ports/embedder.ts';
import { nearness } from '../search/rank/ranking.ts';
import { type PlacedSentence, placedSentences } from './placed-sentences.ts';
import { type QuestionKind, questionKind } from './question-kind.ts';
import { type Row, rowText } from './quoted-lines.ts';
import type { Source } from './sources.ts';
import { dot, wordNearness } from './word-nearness.ts';

export type Sentence = Omit<PlacedSentence, 'above' | 'row'> & {
  readonly words: number;
  /** The line does not have the form of a sentence. */
  readonly isLoose: boolean;
  /** Indexes of the question's terms in it, and among its first words. */
  readonly terms: ReadonlySet<number>;
  readonly firstTerms: ReadonlySet<number>;
  /** One number per term of the question: 1 if the sentence has the term, else the nearness of its nearest word. */
  readonly nearTerms: readonly number[];
  /** Indexes of the question's terms in the title and headings above it. */
  readonly headingTerms: ReadonlySet<number>;
  /** Nearness of sentence and question in meaning, 0 to 1. */
  readonly meaning: number;
  /** How well its form fits the kind of question, 0 to 2. */
  readonly form: number;
  /** Whether it has the fact that the question asks for; undefined if unknown. */
  readonly hasFact: boolean | undefined;
  /** Nearness of the last line above it (heading, title or list lead) and the question in meaning, 0 to 1. */
  readonly heading: number;
  readonly vector: Float32Array | undefined;
  /** The vector encodes meaning. Vectors of other languages encode only spelling. */
  readonly isEnglish: boolean;
};

/** Limit for an embedding provider. The built-in embedder takes less than a millisecond. */
const DEADLINE_MS = 800;
/** Matches headings, menus, table rows, code comments and references: lines that rarely answer a question. */
const LOOSE_LINE = new RegExp(
  String.raw`^(?:--|/[/*]|#|\*|\$ |See (?:also )?|Refer to |(?:For )?(?:[Mm]ore|[Ff]urther) (?:information|details) )` +
    String.raw`| [|\u2192] |(?<![.!?:\uff1a\u2026${OTHER_STOPS}]["'\u2019\u201d)\]\u300d\u300f\uff09]{0,2})$`,
);
/** Matches code and table rows. */
export const CODE_OR_TABLE = / \| |[[\]{};=<>]|^\s*[$#>]|\(\)|^[a-z_]+\(/;
/** Least words of a sentence in a language without full stops. A shorter line is loose. */
const MIN_WITHOUT_STOP = 8;
/** The first words of a sentence usually name its subject. */
const FIRST_WORDS = 4;

export type AskedSentences = {
  readonly sentences: readonly Sentence[];
  readonly terms: readonly QueryTerm[];
  readonly kind: QuestionKind;
};

/** Returns the sentences of the sources with their features for this question. */
export async function sentencesFor(
  question: string,
  sources: readonly Source[],
  languages: readonly string[],
  embedder: Embedder,
): Promise<AskedSentences> {
  const terms = queryTerms(question, languages);
  const kind = questionKind(question, questionLanguage(question, languages));
  const asked = await embedder.embedQuery(question, DEADLINE_MS);
  const finders = sources.map(({ language }) => termFinder(terms, language));
  const termsAbove = new Map<PlacedSentence['above'], ReadonlySet<number>>();
  const found = placedSentences(sources).map(({ above, row, ...placed }) => {
    const termsIn = finders[placed.source] as TermFinder;
    const text = row ? rowText(askedCells(row, termsIn)) : placed.text;
    const headingTerms = termsAbove.get(above) ?? termsIn(above.join('\n'));
    termsAbove.set(above, headingTerms);
    const words = countWords(text);
    const isLine = LOOSE_LINE.test(text) && !(hasNoStops(text) && words >= MIN_WITHOUT_STOP);
    const isLoose = placed.shape === 'code' || (placed.shape !== 'row' && isLine);
    return {
      ...placed,
      text,
      headingTerms,
      above: above.at(-1) ?? '',
      words,
      isLoose,
      hasFact: kind.hasFact(text),
      form: formOf(text, kind, termsIn, terms),
      terms: termsIn(placed.text),
      firstTerms: termsIn(firstWords(text, FIRST_WORDS)),
    };
  });
  // Code and table lines are chosen by the sentence that introduces them, so they need no vector. Empty text is free.
  const vectors = await embedder.embedTexts(
    found.map(({ text, source, shape, isLoose }) => ({
      text: shape === 'code' || (isLoose && CODE_OR_TABLE.test(text)) ? '' : text,
      language: sources[source]?.language,
    })),
  );
  const nearWords = await wordNearness(terms, found, sources[0]?.language, embedder);
  const headings = [...new Set(found.map(({ above }) => above))];
  const ofHeadings = await embedder.embedTexts(headings.map((text) => ({ text, language: sources[0]?.language })));
  const nearOf = new Map(headings.map((heading, i) => [heading, near(asked, ofHeadings[i])]));
  const sentences = found.map(
    ({ above, ...sentence }, i): Sentence => ({
      ...sentence,
      vector: vectors[i]?.vector,
      isEnglish: vectors[i]?.block !== 'hash',
      nearTerms: nearWords[i] ?? [],
      meaning: near(asked, vectors[i]),
      heading: nearOf.get(above) ?? 0,
    }),
  );
  return { sentences, terms, kind };
}

function near(asked: Float32Array | undefined, embedded: EmbeddedText | undefined): number {
  if (!asked || !embedded) return 0;
  return Math.min(1, Math.max(0, nearness(dot(asked, embedded.vector), COSINE_SCALES[embedded.block])));
}

type TermFinder = (text: string) => ReadonlySet<number>;

function termFinder(terms: readonly QueryTerm[], language: string): TermFinder {
  const asked = terms.flatMap(({ question, forms }, index) =>
    question ? [] : forms.map((form) => [form, index] as const),
  );
  const find = termsAmong(new Set(asked.map(([form]) => form)));
  return (text) => {
    const found = new Set(find(text, language).map(({ term }) => term));
    return new Set(asked.flatMap(([form, term]) => (found.has(form) ? [term] : [])));
  };
}

/**
 * Returns the cells of the columns that the question names best, and the cells whose value it names. If it names no
 * column, returns all cells.
 */
function askedCells({ name, cells }: Row, termsIn: TermFinder): Row {
  const counts = cells.map(({ column }) => termsIn(column).size);
  const most = Math.max(0, ...counts);
  if (most === 0) return { name, cells };
  return { name, cells: cells.filter(({ value }, i) => counts[i] === most || termsIn(value).size > 0) };
}

/** Share of the question's words that must come before the verb of a definition. */
const SUBJECT_SHARE = 0.6;
/** Most other words up to the verb: an article, the verb, and one more. "Options of the lamp are" is about options. */
const OTHER_WORDS = 3;

function formOf(sentence: string, kind: QuestionKind, termsIn: TermFinder, terms: readonly QueryTerm[]) {
  const counted = terms.filter(({ question }) => !question).length;
  return kind.fits(sentence, (end) => {
    const subject = sentence.slice(0, end);
    const asked = termsIn(subject).size;
    return asked >= SUBJECT_SHARE * counted && subject.split(/[\s-]+/).length <= asked + OTHER_WORDS;
  });
}
