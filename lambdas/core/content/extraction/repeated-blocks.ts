import type { Block } from '../page-content.ts';

/** A shorter passage may well be said twice. */
const SHORTEST = 40;

/**
 * Blocks without passages that stand there before, as copies for screens of another width do. In a page with code they stay: a
 * manual says the same beside the sample of each language.
 */
export function withoutRepeats(blocks: readonly Block[]): readonly Block[] {
  if (blocks.some(({ kind }) => kind === 'code')) return blocks;
  const seen = new Set<string>();
  return blocks.filter(({ kind, text }) => {
    if (text.length < SHORTEST || (kind !== 'text' && kind !== 'list')) return true;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
