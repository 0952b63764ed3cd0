import { type QueryTerm, queryTerms } from '../language/query-terms.ts';
import { sentencesOf } from '../language/sentences.ts';
import { findTerms } from '../language/terms.ts';
import type { EmbeddedText, Embedder } from '../ports/embedder.ts';
import { COSINE_SCALES } from '../search/cosine-scale.ts';
import { nearness } from '../search/ranking.ts';
import { type QuestionKind, questionKind } from './question-kind.ts';
import type { Source } from './sources.ts';

export type Sentence = {
  readonly text: string;
  /** Index of its source. */
  readonly source: number;
  /** In reading order among the sentences of all passages. */
  readonly index: number;
  /** Index of its paragraph, list or code sample. */
  readonly block: number;
  readonly words: number;
  /** It begins a line. */
  readonly startsLine: boolean;
  /** No sentence by its form. */
  readonly isLoose: boolean;
  /** Indexes of the question's terms in it, and among its first words. */
  readonly terms: ReadonlySet<number>;
  readonly firstTerms: ReadonlySet<number>;
  /** Of the question's terms in the title and headings above it. */
  readonly headingTerms: ReadonlySet<number>;
  /** How near its meaning is to that of the question, 0 to 1. */
  readonly meaning: number;
  /** Whether it has the form of an answer to the kind of question, 0 to 1. */
  readonly form: number;
  /** Of its passage. */
  readonly relevance: number;
  /** How near the meaning of the headings above it is to that of the question, 0 to 1. */
  readonly heading: number;
  readonly vector: Float32Array | undefined;
  /** It is one of the first of its page. */
  readonly isLead: boolean;
};

/** A passage is a chunk, which is shorter. */
const MOST_SENTENCES = 200;
/** Sentences of a page that say what it is about. */
const LEAD = 8;
/** For the built-in embedder, which takes less than a millisecond. */
const DEADLINE_MS = 800;
/** Blocks are separated by blank lines (`plainText`). */
const BLOCKS = /\n{2,}/;
/** Such lines are headings, menus, rows of tables, comments in code and references more often than answers. */
const LOOSE_LINE = new RegExp(
  String.raw`^(?:--|/[/*]|#|\*|\$ |See (?:also )?|Refer to |(?:For )?(?:[Mm]ore|[Ff]urther) (?:information|details) )` +
    String.raw`| [|\u2192] |(?<![.!?:\u2026\u3002\uff01\uff1f]["'\u2019\u201d)\]]{0,2})$`,
);
/** What a sentence is about stands at its beginning. */
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
  let block = 0;
  let index = 0;
  const found: (Omit<Sentence, 'meaning' | 'heading' | 'vector'> & { readonly above: string })[] = [];
  for (const [source, { language, title, parts }] of sources.entries()) {
    const termsIn = termFinder(terms, language);
    for (const { text, headings, score: relevance, ord } of parts) {
      const from = index;
      const above = headings.at(-1) ?? title;
      const headingTerms = termsIn([title, ...headings].join('\n'));
      for (const part of text.split(BLOCKS)) {
        block++;
        for (const { sentence, startsLine } of sentencesIn(part).slice(0, MOST_SENTENCES))
          found.push({
            ...{ text: sentence, startsLine, source, index: index++, block, relevance, headingTerms, above },
            ...{ words: countWords(sentence), isLoose: LOOSE_LINE.test(sentence) },
            terms: termsIn(sentence),
            firstTerms: termsIn(sentence.split(/\s+/, FIRST_WORDS).join(' ')),
            isLead: ord === 0 && index - from <= LEAD,
            form: formOf(sentence, kind, termsIn, terms),
          });
      }
      index++; // passages are not next to each other
    }
  }
  const vectors = await embedder.embedTexts(
    found.map(({ text, source }) => ({ text, language: sources[source]?.language })),
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
  const wanted = new Set(asked.map(([form]) => form));
  return (text) => {
    const found = new Set(findTerms(wanted, text, language).map(({ term }) => term));
    return new Set(asked.flatMap(([form, term]) => (found.has(form) ? [term] : [])));
  };
}

/** Of the question's words before the verb of a definition. */
const SUBJECT_SHARE = 0.6;

function formOf(sentence: string, kind: QuestionKind | undefined, termsIn: TermFinder, terms: readonly QueryTerm[]) {
  if (!kind) return 0;
  const counted = terms.filter(({ question }) => !question).length;
  return kind.fits(sentence, (end) => termsIn(sentence.slice(0, end)).size >= SUBJECT_SHARE * counted);
}

const sentencesIn = (block: string) =>
  block
    .split('\n')
    .flatMap((line) => withWholeBrackets(sentencesOf(line)).map((sentence, i) => ({ sentence, startsLine: i === 0 })));

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

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
