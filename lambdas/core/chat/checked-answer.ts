import type { Embedder } from '../ports/embedder.ts';
import type { AnswerPiece } from './answer-pieces.ts';
import { safeMarkdown } from './safe-markdown.ts';
import type { Source } from './sources.ts';
import { type Evidence, evidenceOf, LEAST_SUPPORT, supportOf } from './support.ts';

const HAS_WORDS = /[\p{L}\p{N}]/u;
/** Signs of Markdown that may stand alone, such as the fences of a code sample. */
const STRUCTURE = /^(?:`{3,}\w{0,20}|-{3,}|\|[\s|:-]*\||)$/;

/** Checks the sentences of one answer against the sources that its model was given. */
export class CitationCheck {
  /** Sentences were left out, because no source bears them. */
  leftOut = false;
  readonly #sources: readonly Source[];
  readonly #embedder: Embedder;
  readonly #urls: ReadonlySet<string>;
  readonly #evidence = new Map<Source, Promise<Evidence>>();

  constructor(sources: readonly Source[], embedder: Embedder) {
    this.#sources = sources;
    this.#embedder = embedder;
    this.#urls = new Set(sources.map(({ url }) => url));
  }

  /** The sentence with the citations that bear it, without white space after it; '' if no source bears it. */
  async checked({ lead, text, cited }: AnswerPiece): Promise<string> {
    if (STRUCTURE.test(text.trim())) return lead + text;
    const bearing = await this.#bearing(text, cited);
    if (bearing.length === 0) {
      this.leftOut ||= HAS_WORDS.test(text);
      return '';
    }
    const safe = safeMarkdown(text, this.#urls);
    if (!HAS_WORDS.test(safe)) return '';
    const citations = bearing.map((number) => `[${number}]`).join('');
    return `${lead}${safe} ${citations}`;
  }

  /** Of the cited sources those that bear the sentence, else the one that bears it best. */
  async #bearing(text: string, cited: readonly number[]): Promise<readonly number[]> {
    const supports = await Promise.all(this.#sources.map((source) => this.#support(text, source)));
    const bears = (number: number): boolean => (supports[number - 1] ?? 0) >= LEAST_SUPPORT;
    const kept = cited.filter(bears);
    if (kept.length > 0) return kept;
    const best = supports.indexOf(Math.max(...supports)) + 1;
    return bears(best) ? [best] : [];
  }

  async #support(text: string, source: Source): Promise<number> {
    const evidence = this.#evidence.get(source) ?? evidenceOf(source, this.#embedder);
    this.#evidence.set(source, evidence);
    return (await supportOf(text, await evidence, this.#embedder)) ?? 0;
  }
}
