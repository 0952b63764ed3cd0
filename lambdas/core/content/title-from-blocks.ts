import { cut } from '../language/folding.ts';
import type { Block } from './page-content.ts';

const MAX_TITLE = 120;

/** The first heading, else the first line of text, cut to 120 characters; empty without blocks. */
export function titleFromBlocks(blocks: readonly Block[]): string {
  const block = blocks.find(({ kind }) => kind === 'heading') ?? blocks[0];
  return cut(block?.text.split('\n', 1)[0]?.trim() ?? '', MAX_TITLE);
}

/** A heading at the start that repeats the title would only be a second title above every passage, unless little else is said. */
export function withoutTitle(blocks: readonly Block[], title: string): readonly Block[] {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'heading' || first.text !== title) return blocks;
  return rest.some(({ text }) => text.length > title.length) ? rest : blocks;
}
