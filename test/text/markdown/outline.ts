import { Marked, type Token } from 'marked';
import { parseHtml } from '../../../lambdas/text/html/parse-html.ts';

/** What a reader of Markdown finds: the parts of a page with their texts, in order. */
export type Outline = {
  readonly headings: readonly (readonly [level: number, text: string])[];
  readonly items: readonly string[];
  readonly cells: readonly string[];
  readonly code: readonly (readonly [language: string, text: string])[];
  readonly links: readonly (readonly [text: string, href: string])[];
};

const marked = new Marked();

/** Reads Markdown with `marked`, which knows nothing of the code under test. */
export function outline(markdown: string, target: (href: string) => string | undefined = (href) => href): Outline {
  const found = { headings: [], items: [], cells: [], code: [], links: [] } as {
    -readonly [Part in keyof Outline]: Outline[Part][number][];
  };
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'heading') found.headings.push([token.depth, textOf(token)]);
    if (token.type === 'list_item') found.items.push(ownText(token.tokens ?? []));
    if (token.type === 'code') found.code.push([token.lang ?? '', token.text.trimEnd()]);
    if (token.type === 'table')
      found.cells.push(...[token.header, ...token.rows].flat().map((cell: { tokens: Token[] }) => inline(cell.tokens)));
    if (token.type !== 'link') return;
    const href = target(token.href);
    if (href !== undefined) found.links.push([textOf(token), href]);
  });
  return found;
}

const textOf = (token: Token): string => inline('tokens' in token ? (token.tokens ?? []) : []);

/** The text of an item without that of lists and code inside of it. */
const ownText = (tokens: readonly Token[]): string =>
  tokens
    .filter(({ type }) => type === 'text' || type === 'paragraph')
    .map(textOf)
    .join(' ');

const inline = (tokens: readonly Token[]): string => shownText(marked.Parser.parseInline([...tokens]));

/** The text of HTML with its white space collapsed. */
export const shownText = (html: string): string =>
  parseHtml(html)
    .map(({ name, text }) => (name === 'br' ? ' ' : text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
