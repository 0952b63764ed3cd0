import type { Block } from '../page-content.ts';
import { cut } from '../words/folding.ts';

const MAX_TITLE = 120;

/** Returns the first line of the first heading, up to 120 characters; empty without a heading. */
export const titleFromHeading = (blocks: readonly Block[]): string =>
  firstLine(blocks.find(({ kind }) => kind === 'heading'));

/** Returns the title by `titleFromHeading`, else the first line of text; empty without blocks. */
export const titleFromText = (blocks: readonly Block[]): string => titleFromHeading(blocks) || firstLine(blocks[0]);

const firstLine = (block: Block | undefined): string => cut(block?.text.split('\n', 1)[0]?.trim() ?? '', MAX_TITLE);

/** Returns the URL decoded for people, unless an escape represents an invisible character. */
export function titleFromAddress(address: string): string {
  const readable = address.replace(/(?:%[89a-f][\da-f])+/gi, (escapes) => {
    const text = Buffer.from(escapes.replaceAll('%', ''), 'hex').toString();
    return /[\p{C}\p{Z}\uFFFD]/u.test(text) ? escapes : text;
  });
  return cut(readable, MAX_TITLE);
}

/** Drops a first or top-level heading that repeats the title, unless little other text remains. */
export function withoutTitle<B extends Block>(blocks: readonly B[], title: string): readonly B[] {
  const first = blocks.findIndex(({ kind }) => kind === 'heading');
  const top = blocks.findIndex((block) => block.kind === 'heading' && block.level === 1);
  const index = [first, top].find((i) => i >= 0 && plainPunctuation(blocks[i]?.text ?? '') === plainPunctuation(title));
  if (index === undefined) return blocks;
  const rest = blocks.toSpliced(index, 1);
  const length = rest.reduce((sum, { text }) => sum + text.length, 0);
  return length > title.length ? rest : blocks;
}

/** Replaces typographic quotes and hyphens by plain ones. */
const plainPunctuation = (text: string): string =>
  text.toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-');

/** Adds the page's own title as a heading, so that searches find it even if another title was given. */
export function withHeading(blocks: readonly Block[], title: string): readonly Block[] {
  if (title === '' || blocks.some(({ kind, text }) => kind === 'heading' && text === title)) return blocks;
  return blocks.length === 0 ? blocks : [{ kind: 'heading', level: 1, text: title }, ...blocks];
}
