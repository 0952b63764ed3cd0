/** The marks around what matches, as a request of Algolia's clients names them. */
export type Marks = { readonly before: string; readonly after: string };
type Range = readonly number[];
/** One entry of `_highlightResult` or `_snippetResult`. */
export type Marked = {
  readonly value: string;
  readonly matchLevel: 'none' | 'partial';
  readonly matchedWords: string[];
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** If the marks are HTML, the caller inserts the value as HTML, so the text is escaped. */
export function marked(text: string, ranges: readonly Range[], { before, after }: Marks): Marked {
  const shown = /[<>]/.test(before) ? escapeHtml : (part: string) => part;
  let value = '';
  let end = 0;
  for (const [from = 0, to = 0] of ranges) {
    value += shown(text.slice(end, from)) + before + shown(text.slice(from, to)) + after;
    end = to;
  }
  const matchLevel = ranges.length > 0 ? 'partial' : 'none';
  return { value: value + shown(text.slice(end)), matchLevel, matchedWords: [] };
}

/** Where words of the text begin with a word of the query. The service says it of snippets only. */
export function matchesOf(query: string, text: string): readonly Range[] {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]*`, 'giu');
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => [index, index + match.length]);
}
