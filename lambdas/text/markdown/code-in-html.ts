import { INLINE } from '../extraction/content-blocks.ts';
import type { HtmlNode, HtmlTree } from '../html/tree.ts';

/** The names of languages in classes, as GitHub, Sphinx, Prism, highlight.js and SyntaxHighlighter write them. */
const NAMED = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|sourceCode\s|hljs\s|brush:\s?)([\w+#.-]{1,30})/i;
const NO_LANGUAGE = /^(?:default|none|no-?highlight|notranslate|language)$/i;

/** Returns the language that a `pre` element, its `code` or an element around it names; empty if none does. */
export function codeLanguage(tree: HtmlTree, index: number): string {
  const own = [...codeIn(tree, index), index].flatMap((i) => languageOf(tree[i], true) ?? []);
  const around = ancestorsOf(tree, index).flatMap((i) => languageOf(tree[i], false) ?? []);
  const [name = ''] = [...own, ...around];
  return NO_LANGUAGE.test(name) ? '' : name;
}

function codeIn(tree: HtmlTree, index: number): readonly number[] {
  const end = tree[index]?.end ?? 0;
  for (let i = index + 1; i < end; i++) if (tree[i]?.name !== '') return tree[i]?.name === 'code' ? [i] : [];
  return [];
}

function ancestorsOf(tree: HtmlTree, index: number): readonly number[] {
  const parent = tree[index]?.parent ?? 0;
  return [parent, tree[parent]?.parent ?? 0].filter((i) => i > 0);
}

function languageOf(node: HtmlNode | undefined, isCode: boolean): string | undefined {
  const { 'data-lang': short, 'data-language': long, lang, class: classes = '' } = node?.attributes ?? {};
  return short || long || NAMED.exec(classes)?.[1] || (isCode ? lang : undefined) || undefined;
}

/** Returns the text of a `pre` element with its white space, but without blank lines at its ends. */
export function preformatted(tree: HtmlTree, index: number, dropped: Uint8Array): string {
  const lines = new CodeLines();
  const end = tree[index]?.end ?? 0;
  for (let i = index + 1; i < end; i++) {
    const node = tree[i];
    if (!node) break;
    lines.leaveBefore(i);
    if (dropped[i] === 1 || node.attributes['data-nosnippet'] !== undefined) i = node.end - 1;
    else lines.add(node);
  }
  return lines.text();
}

class CodeLines {
  #text = '';
  /** The ends of the open elements that have lines of their own. */
  readonly #ends: number[] = [];

  leaveBefore(index: number): void {
    for (let last = this.#ends.at(-1); last !== undefined && last <= index; last = this.#ends.at(-1)) {
      this.#ends.pop();
      this.#endLine();
    }
  }

  add({ name, text, end }: HtmlNode): void {
    if (name === '') this.#text += text;
    else if (name === 'br') this.#text += '\n';
    else if (!INLINE.has(name)) {
      this.#endLine();
      this.#ends.push(end);
    }
  }

  text(): string {
    const start = this.#text.lastIndexOf('\n', this.#text.search(/\S/)) + 1;
    return this.#text.slice(start).trimEnd();
  }

  #endLine(): void {
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#text += '\n';
  }
}
