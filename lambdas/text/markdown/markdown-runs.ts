import { codeSpan, collapsed, escapedBars, escapedInline, escapedStart } from './escape-markdown.ts';

/** Text of one style. Texts of one link or one piece of code have the same number there. */
export type Run = RunStyle & { readonly text: string };
export type RunStyle = {
  readonly link?: number;
  readonly href?: string;
  readonly code?: number;
  readonly strong?: true;
  readonly emphasis?: true;
};
/** A run with this text ends a line. */
export const LINE_BREAK: Run = { text: '\n' };

const PUNCTUATION = /[^\p{L}\p{N}\s]/u;

/** Returns a paragraph of one or more lines. */
export function paragraphOf(runs: readonly Run[]): string {
  if (!runs.includes(LINE_BREAK)) return escapedStart(inlineOf(runs));
  const lines: Run[][] = [[]];
  for (const run of runs) {
    if (run === LINE_BREAK) lines.push([]);
    else lines.at(-1)?.push(run);
  }
  const written = lines.map((line) => escapedStart(inlineOf(line))).filter((line) => line !== '');
  return written.join('  \n');
}

/**
 * Returns the runs as one line of a table's cell. Readers disagree about a backslash before a bar in code, so such code
 * is written as text.
 */
export function cellOf(runs: readonly Run[]): string {
  const isUnclear = ({ code, text }: Run): boolean => code !== undefined && text.includes('\\|');
  return escapedBars(inlineOf(mergedRuns(runs).map((run) => (isUnclear(run) ? withoutCode(run) : run))));
}

const withoutCode = ({ code, ...run }: Run): Run => run;

/** Returns the runs as one line without its start escaped. A break of lines is a space. */
export function inlineOf(runs: readonly Run[]): string {
  const merged = mergedRuns(runs);
  const [only] = merged;
  if (only && merged.length === 1 && isPlain(only)) return escapedInline(only.text.trim());
  const line = new InlineWriter();
  for (const [i, run] of merged.entries()) line.add(run, nextChar(merged[i + 1]));
  return line.end();
}

const isPlain = ({ link, code, strong, emphasis }: Run): boolean =>
  link === undefined && code === undefined && !strong && !emphasis;

const isSameStyle = (a: Run, b: Run): boolean =>
  a.link === b.link && a.code === b.code && a.strong === b.strong && a.emphasis === b.emphasis;

/** Joins runs of one style before they are escaped, so that no syntax is divided between them. */
function mergedRuns(runs: readonly Run[]): readonly Run[] {
  const merged: { run: Run; texts: string[] }[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (last && isSameStyle(last.run, run)) last.texts.push(run.text);
    else merged.push({ run, texts: [run.text] });
  }
  return merged
    .map(({ run, texts }) => ({ ...run, text: collapsed(texts.join('')) }))
    .filter(({ text }) => text !== '');
}

/** Returns the character that will follow, as far as emphasis depends on it. */
const nextChar = (next: Run | undefined): string =>
  next === undefined ? ' ' : next.code === undefined && next.link === undefined ? (next.text[0] ?? ' ') : '`';

type OpenLink = { readonly id: number; readonly href: string | undefined; readonly inner: string[] };

class InlineWriter {
  readonly #out: string[] = [];
  #isSpaced = false;
  #isAfterCode = false;
  #link: OpenLink | undefined;

  add(run: Run, next: string): void {
    if (run.link !== this.#link?.id) this.#endLink();
    const text = run.text.trim();
    // Two pieces of code without a gap would be one.
    if (run.text.startsWith(' ') || (this.#isAfterCode && run.code !== undefined)) this.#isSpaced = true;
    if (text === '') return;
    if (run.link !== undefined && this.#link === undefined) {
      this.#space(this.#out);
      this.#link = { id: run.link, href: run.href, inner: [] };
    }
    const parts = this.#link?.inner ?? this.#out;
    this.#space(parts);
    const before = parts.at(-1)?.at(-1) ?? ' ';
    this.#isSpaced = run.text.endsWith(' ');
    this.#isAfterCode = run.code !== undefined;
    parts.push(styled(text, run, before, this.#isSpaced ? ' ' : next));
  }

  end(): string {
    this.#endLink();
    return this.#out.join('');
  }

  #space(parts: string[]): void {
    if (this.#isSpaced && parts.length > 0) parts.push(' ');
    this.#isSpaced = false;
  }

  #endLink(): void {
    if (!this.#link) return;
    const { inner, href } = this.#link;
    this.#link = undefined;
    if (href === undefined) {
      this.#out.push(inner.join(''));
      return;
    }
    // `!` before a link would make it an image.
    const last = this.#out.at(-1);
    if (last?.endsWith('!')) this.#out.splice(-1, 1, `${last.slice(0, -1)}\\!`);
    this.#out.push(`[${inner.join('')}](${href})`);
    this.#isAfterCode = false;
  }
}

/** Emphasis is only written where its marks are read as such, between these two characters (CommonMark 0.31, 6.2). */
function styled(text: string, { code, strong, emphasis }: Run, before: string, after: string): string {
  const inner = code === undefined ? escapedInline(text) : codeSpan(text);
  const mark = (strong ? '**' : '') + (emphasis ? '*' : '');
  const opens = !PUNCTUATION.test(inner[0] ?? '') || /[^\p{L}\p{N}*]$/u.test(before);
  const closes = !PUNCTUATION.test(inner.at(-1) ?? '') || /^[^\p{L}\p{N}]/u.test(after);
  return opens && closes && before !== '*' ? mark + inner + mark : inner;
}
