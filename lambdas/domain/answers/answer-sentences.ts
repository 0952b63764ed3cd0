import { COSINE_SCALES } from '../../text/words/cosine-scale.ts';
import { type QueryTerm, queryTerms } from '../../text/words/query-terms.ts';
import { termsAmong } from '../../text/words/terms.ts';
import type { EmbeddedText, Embedder } from '../ports/embedder.ts';
import { nearness } from '../search/rank/ranking.ts';
import { type PlacedSentence, placedSentences } from './placed-sentences.ts';
import { type QuestionKind, questionKind } from './question-kind.ts';
import type { Source } from './sources.ts';

export type Sentence = Omit<PlacedSentence, 'above'> & {
  readonly words: number;
  /** The line does not have the form of a sentence. */
  readonly isLoose: boolean;
  /** Indexes of the question's terms in it, and among its first words. */
  readonly terms: ReadonlySet<number>;
  readonly firstTerms: ReadonlySet<number>;
  /** Indexes of the question's terms in the title and headings above it. */
  readonly headingTerms: ReadonlySet<number>;
  /** How near its meaning is to that of the question, 0 to 1. */
  readonly meaning: number;
  /** Whether it has the form of an answer to the kind of question, 0 to 1. */
  readonly form: number;
  /** How near the meaning of the headings above it is to that of the question, 0 to 1. */
  readonly heading: number;
  readonly vector: Float32Array | undefined;
};

/** The built-in embedder takes less than a millisecond. */
const DEADLINE_MS = 800;
/** Such lines are headings, menus, rows of tables, comments in code and references more often than answers. */
const LOOSE_LINE = new RegExp(
  String.raw`^(?:--|/[/*]|#|\*|\$ |See (?:also )?|Refer to |(?:For )?(?:[Mm]ore|[Ff]urther) (?:information|details) )` +
    String.raw`| [|\u2192] |(?<![.!?:\u2026\u3002\uff01\uff1f]["'\u2019\u201d)\]]{0,2})$`,
);
/** Signs of code and of tables. */
export const CODE_OR_TABLE = / \| |[[\]{};=<>]|^\s*[$#>]|\(\)|^[a-z_]+\(/;
/** What a sentence is about is at its beginning. */
const FIRST_WORDS = 4;

export type AskedSentences = { readonly sentences: readonly Sentence[]; readonly terms: readonly QueryTerm[] };

/** The sentences of the sources, with what of the question they have. */
export async function sentencesFor(
  question: string,
  sources: readonly Source[],
  languages: readonly string[],
  embedder: Embedder,
): Promise<AskedSentences> {
  const terms = queryTerms(question, languages);
  const kind = questionKind(question);
  const asked = await embedder.embedQuery(question, DEADLINE_MS);
  const finders = sources.map(({ language }) => termFinder(terms, language));
  const termsAbove = new Map<PlacedSentence['above'], ReadonlySet<number>>();
  const found = placedSentences(sources).map(({ above, ...placed }) => {
    const { text } = placed;
    const termsIn = finders[placed.source] as TermFinder;
    const headingTerms = termsAbove.get(above) ?? termsIn(above.join('\n'));
    termsAbove.set(above, headingTerms);
    return {
      ...{ ...placed, headingTerms, above: above.at(-1) ?? '' },
      ...{ words: countWords(text), isLoose: LOOSE_LINE.test(text), form: formOf(text, kind, termsIn, terms) },
      terms: termsIn(text),
      firstTerms: termsIn(text.split(/\s+/, FIRST_WORDS).join(' ')),
    };
  });
  // Lines of code and of tables are quoted for the sentence that announces them. An empty text costs nothing.
  const vectors = await embedder.embedTexts(
    found.map(({ text, source, isLoose }) => ({
      text: isLoose && CODE_OR_TABLE.test(text) ? '' : text,
      language: sources[source]?.language,
    })),
  );
  const headings = [...new Set(found.map(({ above }) => above))];
  const ofHeadings = await embedder.embedTexts(headings.map((text) => ({ text, language: sources[0]?.language })));
  const nearOf = new Map(headings.map((heading, i) => [heading, near(asked, ofHeadings[i])]));
  const sentences = found.map(
    ({ above, ...sentence }, i): Sentence => ({
      ...sentence,
      vector: vectors[i]?.vector,
      meaning: near(asked, vectors[i]),
      heading: nearOf.get(above) ?? 0,
    }),
  );
  return { sentences, terms };
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

/** Share of the question's words that must come before the verb of a definition. */
const SUBJECT_SHARE = 0.6;
/** Other words before it: an article, the verb, and one more. "Options of the lamp are" is about options. */
const OTHER_WORDS = 3;

function formOf(sentence: string, kind: QuestionKind | undefined, termsIn: TermFinder, terms: readonly QueryTerm[]) {
  if (!kind) return 0;
  const counted = terms.filter(({ question }) => !question).length;
  return kind.fits(sentence, (end) => {
    const subject = sentence.slice(0, end);
    const asked = termsIn(subject).size;
    return asked >= SUBJECT_SHARE * counted && subject.split(/[\s-]+/).length <= asked + OTHER_WORDS;
  });
}

const countWords = (text: string): number => text.split(/\s+/).length;

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
