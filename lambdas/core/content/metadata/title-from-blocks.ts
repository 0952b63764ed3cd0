import { cut } from '../../language/folding.ts';
import type { Block } from '../page-content.ts';

const MAX_TITLE = 120;

/** The first heading, else the first line of text, cut to 120 characters; empty without blocks. */
export function titleFromBlocks(blocks: readonly Block[]): string {
  const block = blocks.find(({ kind }) => kind === 'heading') ?? blocks[0];
  return cut(block?.text.split('\n', 1)[0]?.trim() ?? '', MAX_TITLE);
}

/**
 * Where the first heading, or the first of the top level, repeats the title, it would only be a second title above
 * every passage. It stays where little else is said.
 */
export function withoutTitle(blocks: readonly Block[], title: string): readonly Block[] {
  const first = blocks.findIndex(({ kind }) => kind === 'heading');
  const top = blocks.findIndex((block) => block.kind === 'heading' && block.level === 1);
  const place = [first, top].find((at) => at >= 0 && straight(blocks[at]?.text ?? '') === straight(title));
  if (place === undefined) return blocks;
  const rest = blocks.toSpliced(place, 1);
  const said = rest.reduce((sum, { text }) => sum + text.length, 0);
  return said > title.length ? rest : blocks;
}

/** With the quotation marks and dashes of a typewriter. */
const straight = (text: string): string =>
  text.toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-');

/**
 * The blocks with the page's own title above them, if it is no heading in them: where another title is given, it is not
 * lost.
 */
export function withHeading(blocks: readonly Block[], title: string): readonly Block[] {
  if (title === '' || blocks.some(({ kind, text }) => kind === 'heading' && text === title)) return blocks;
  return blocks.length === 0 ? blocks : [{ kind: 'heading', level: 1, text: title }, ...blocks];
}
