import { visibleText } from '../visible-text.ts';

/** Underscores inside words, most ampersands and most parentheses are no syntax. */
const SYNTAX = /(?<=\])\(|[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=[#\p{L}]|$)/gu;
/** The start of a heading, a quote, a list, an underline or the rule of a table. */
const LINE_START = /^(?:[#>=|]|[-+:](?=[\s|:-]|$))/;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;
const LAST_HASHES = /(#{1,6})$/;
/** White space other than a single space. */
const WHITE_SPACE = /[^\S ]\s*| \s+/g;
const BACKTICKS = /`+/g;
const LANGUAGE = /^[a-z][\w+#.-]{0,29}$/i;

/** Collapses white space and removes invisible characters, but keeps white space at the ends as one space. */
export const collapsed = (text: string): string => visibleText(text).replace(WHITE_SPACE, ' ');

/** Returns Markdown that shows this text inside a line. The text must be visible: removal could join what is escaped. */
export const escapedInline = (text: string): string => text.replace(SYNTAX, '\\$&');

/** Escapes the start of a line of Markdown, so that it begins no block. */
export const escapedStart = (line: string): string => line.replace(LINE_START, '\\$&').replace(NUMBERED, '$1\\$2');

/** Returns a line of text as Markdown. */
export const escapedLine = (text: string): string => escapedStart(escapedInline(collapsed(text).trim()));

/** Returns a heading of escaped text. */
export const heading = (level: number, inline: string): string =>
  `${'#'.repeat(level)} ${inline.replace(LAST_HASHES, '\\$1')}`;

const longestRun = (text: string): number =>
  Array.from(text.matchAll(BACKTICKS)).reduce((most, [run]) => Math.max(most, run.length), 0);

export function codeSpan(code: string): string {
  const fence = '`'.repeat(longestRun(code) + 1);
  const gap = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return fence + gap + code + gap + fence;
}

/** Returns a fenced block. A language that is not a word is left out. */
export function codeBlock(code: string, language = ''): string {
  const text = visibleText(code.replace(/\r\n?|[\u2028\u2029]/g, '\n'));
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${LANGUAGE.test(language) ? language : ''}\n${text}\n${fence}`;
}

/** The most empty cells that complete the rows of a table. Readers of Markdown add the others. */
const MAX_ADDED_CELLS = 10_000;

/** Returns a table. The cells are Markdown of one line, with `|` escaped. Without a head, its names are empty. */
export function table(rows: readonly (readonly string[])[], head: readonly string[] = []): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), Math.max(1, head.length));
  const isCompleted = width * rows.length <= MAX_ADDED_CELLS;
  const complete = (row: readonly string[]) => [...row, ...Array<string>(width - row.length).fill('')];
  const body = isCompleted ? rows.map(complete) : rows;
  const rule = Array<string>(width).fill('---');
  return [complete(head), rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export const escapedBars = (inline: string): string => inline.replaceAll('|', '\\|');
