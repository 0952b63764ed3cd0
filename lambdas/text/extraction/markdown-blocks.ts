import type { Block } from '../page-content.ts';
import { withoutRules } from './ruled-lines.ts';

type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;
type BodyKind = Exclude<Block['kind'], 'heading'>;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+)$/;
const UNDERLINE = /^ {0,3}(={2,}|-{2,})[ \t]*$/;
const LIST_ITEM = /^\s{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const TABLE_ROW = /^\s{0,9}\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;
const FRONT_MATTER_LINES = 200;

/**
 * Reads the blocks that most Markdown files have; nested quotes and lists become flat. `plain` has only paragraphs. Why
 * no library does it: docs/decisions/016-parsers.md.
 */
export function markdownBlocks(lines: readonly string[], syntax: 'plain' | 'markdown'): readonly Block[] {
  const reader = new MarkdownReader();
  if (syntax === 'plain') for (const line of lines) reader.addPlain(line);
  else for (const line of lines.slice(frontMatterEnd(lines))) reader.add(line);
  return reader.finish();
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.slice(1, FRONT_MATTER_LINES).findIndex((line) => line.trim() === '---');
  return end < 0 ? 0 : end + 2;
}

const LINK = /!?\[([^\][]{0,500})\](?:\([^()]{0,2048}\)|\[[^\][]{0,200}\])/g;
/** Text between backticks stays as written; an underscore inside a word is not a mark. */
const MARKS = /`+([^`]+)`+|`+|\*{2,}|(?<!\w)_{2,}|_{2,}(?!\w)|(?<=^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:!?]|$)/g;

/** Keeps the words of emphasis, code, images and links, without their marks. */
const withoutMarks = (text: string): string => text.replace(LINK, '$1').replace(MARKS, '$1');

class MarkdownReader {
  readonly #blocks: Block[] = [];
  #kind: BodyKind = 'text';
  #lines: string[] = [];
  #fence: string | undefined;

  addPlain(line: string): void {
    if (line.trim() === '') this.#end();
    else this.#lines.push(line.trimEnd());
  }

  add(line: string): void {
    const fence = FENCE.exec(line)?.[1];
    if (this.#fence !== undefined) {
      if (fence?.startsWith(this.#fence)) this.#end();
      else this.#lines.push(line);
    } else if (fence !== undefined) {
      this.#start('code');
      this.#fence = fence;
    } else if (line.trim() === '') {
      this.#end();
    } else {
      this.#addMarked(line);
    }
  }

  finish(): readonly Block[] {
    this.#end();
    return this.#blocks;
  }

  #addMarked(line: string): void {
    const heading = HEADING.exec(line);
    const underline = this.#kind === 'text' ? UNDERLINE.exec(line)?.[1] : undefined;
    const item = LIST_ITEM.exec(line)?.[1];
    if (heading !== null) this.#addHeading(heading[1]?.length ?? 1, heading[2] ?? '');
    else if (underline !== undefined) this.#addHeading(underline.startsWith('=') ? 1 : 2, this.#lines.pop() ?? '');
    else if (TABLE_ROW.test(line)) this.#addRow(line);
    else if (item !== undefined) this.#addLine('list', withoutMarks(item));
    else this.#addLine(this.#kind === 'list' ? 'list' : 'text', withoutMarks(line.replace(/^[\s>]+/, '').trimEnd()));
  }

  #addHeading(level: number, raw: string): void {
    this.#end();
    const text = withoutMarks(
      raw
        .trim()
        .replace(/[ \t]#{1,6}$/, '')
        .trim(),
    );
    if (text !== '') this.#blocks.push({ kind: 'heading', level: Math.min(level, 6) as HeadingLevel, text });
  }

  #addRow(line: string): void {
    if (!TABLE_RULE.test(line)) this.#addLine('table', tableRow(line));
  }

  #addLine(kind: BodyKind, line: string): void {
    if (kind !== this.#kind) this.#start(kind);
    this.#lines.push(line);
  }

  #start(kind: BodyKind): void {
    this.#end();
    this.#kind = kind;
  }

  #end(): void {
    const text = withoutRules(this.#lines.join('\n')).trimEnd();
    if (text.trim() !== '') this.#blocks.push({ kind: this.#kind, text });
    this.#lines = [];
    this.#kind = 'text';
    this.#fence = undefined;
  }
}

function tableRow(line: string): string {
  const cells = line.trim().slice(1, -1).split('|');
  return cells.map((cell) => withoutMarks(cell.trim())).join(' | ');
}
