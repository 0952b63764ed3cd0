import { frontMatterEnd } from '../extraction/markdown-blocks.ts';
import { visibleText } from '../visible-text.ts';
import { bounded } from './page-markdown.ts';

const FENCE = /^\s{0,40}(`{3,}|~{3,})/;
const COMMENT_START = /^\s{0,40}<!--/;
const COMMENT_END = '-->';

/** Returns Markdown as it was written, but without front matter, comments and invisible characters. */
export function sourceMarkdown(lines: readonly string[]): string {
  const reader = new SourceReader(lines.findLastIndex((line) => line.includes(COMMENT_END)));
  for (let i = frontMatterEnd(lines); i < lines.length; i++) reader.add(lines[i] ?? '', i);
  return bounded(visibleText(reader.kept.join('\n')).trim().split('\n\n'));
}

class SourceReader {
  readonly kept: string[] = [];
  /** The last line that ends a comment. A comment that begins below it is text. */
  readonly #lastEnd: number;
  #fence: string | undefined;
  #isInComment = false;

  constructor(lastEnd: number) {
    this.#lastEnd = lastEnd;
  }

  add(line: string, index: number): void {
    const mark = FENCE.exec(line)?.[1];
    if (this.#fence !== undefined) {
      if (mark?.startsWith(this.#fence)) this.#fence = undefined;
      this.kept.push(line);
    } else if (this.#isInComment || (index <= this.#lastEnd && COMMENT_START.test(line))) {
      this.#addComment(line);
    } else {
      this.#fence = mark;
      this.kept.push(withoutComments(line));
    }
  }

  #addComment(line: string): void {
    const end = line.indexOf(COMMENT_END);
    this.#isInComment = end < 0;
    const rest = end < 0 ? '' : line.slice(end + COMMENT_END.length);
    if (rest.trim() !== '') this.kept.push(withoutComments(rest));
  }
}

/** Removes comments from a line. One inside of code is kept. */
function withoutComments(line: string): string {
  const [first = '', ...others] = line.split('<!--');
  const kept = [first];
  let backticks = countBackticks(first);
  for (const part of others) {
    const end = backticks % 2 === 0 ? part.indexOf(COMMENT_END) : -1;
    const shown = end < 0 ? `<!--${part}` : part.slice(end + COMMENT_END.length);
    backticks += countBackticks(shown);
    kept.push(shown);
  }
  return kept.join('');
}

const countBackticks = (text: string): number => text.split('`').length - 1;
