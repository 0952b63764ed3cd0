import type { Embedder } from '../ports/embedder.ts';
import type { AnswerPiece } from './answer-pieces.ts';
import { safeMarkdown } from './safe-markdown.ts';
import type { Source } from './sources.ts';
import { MIN_SUPPORT, type SupportEvidence, supportEvidence, supportOf, together } from './support.ts';

const HAS_WORDS = /[\p{L}\p{N}]/u;
const STARTS_ADDRESS = /^[([:]/;
/** Markdown lines without words: code fences, rules and table separators. */
const STRUCTURE = /^(?:`{3,}\w{0,20}|-{3,}|\|[\s|:-]*\|)$/;

export const isStructure = (text: string): boolean => STRUCTURE.test(text.trim());

/** Checks the sentences of one answer against the sources in its prompt. */
export class CitationCheck {
  /** At least one sentence was left out because no source supports it. */
  leftOut = false;
  readonly #sources: readonly Source[];
  readonly #embedder: Embedder;
  readonly #urls: ReadonlySet<string>;
  readonly #evidence = new Map<Source, Promise<SupportEvidence>>();

  constructor(sources: readonly Source[], embedder: Embedder) {
    this.#sources = sources;
    this.#embedder = embedder;
    this.#urls = new Set(sources.map(({ url }) => url));
  }

  /** Returns the sentence with citations of the sources that support it; '' if none does. No white space follows. */
  async checked({ lead, text, cited }: AnswerPiece): Promise<string> {
    if (isStructure(text)) return lead + text;
    const bearing = await this.#bearing(text, cited);
    if (bearing.length === 0) {
      this.leftOut ||= HAS_WORDS.test(text);
      return '';
    }
    const safe = safeMarkdown(text, this.#urls);
    if (!HAS_WORDS.test(safe)) return '';
    const citations = bearing.map((number) => `[${number}]`).join('');
    // After the citation that ends the previous sentence, `(` would start a link target.
    const gap = lead === '' && STARTS_ADDRESS.test(safe) ? ' ' : '';
    return `${lead}${gap}${safe} ${citations}`;
  }

  /**
   * Returns the cited sources that support the sentence. If none does, returns the source that supports it best, or two
   * cited sources that support it together.
   */
  async #bearing(text: string, cited: readonly number[]): Promise<readonly number[]> {
    const evidences = await Promise.all(this.#sources.map((source) => this.#evidenceOf(source)));
    const supports = await Promise.all(evidences.map((evidence) => this.#support(text, evidence)));
    const bears = (number: number): boolean => (supports[number - 1] ?? 0) >= MIN_SUPPORT;
    const kept = cited.filter(bears);
    if (kept.length > 0) return kept;
    const best = supports.indexOf(Math.max(...supports)) + 1;
    return bears(best) ? [best] : this.#bearingPair(text, cited, evidences);
  }

  async #bearingPair(
    text: string,
    cited: readonly number[],
    evidences: readonly SupportEvidence[],
  ): Promise<readonly number[]> {
    for (const [i, first] of cited.entries()) {
      for (const second of cited.slice(i + 1)) {
        const [a, b] = [evidences[first - 1], evidences[second - 1]];
        if (a && b && (await this.#support(text, together(a, b))) >= MIN_SUPPORT) return [first, second];
      }
    }
    return [];
  }

  async #support(text: string, evidence: SupportEvidence): Promise<number> {
    return (await supportOf(text, evidence, this.#embedder)) ?? 0;
  }

  #evidenceOf(source: Source): Promise<SupportEvidence> {
    const evidence = this.#evidence.get(source) ?? supportEvidence(source, this.#embedder);
    this.#evidence.set(source, evidence);
    return evidence;
  }
}
