import type { Block } from '../page-content.ts';

/** Minimum length of a repeat, in characters. Shorter passages may repeat for good reasons. */
const MIN_LENGTH = 40;

/**
 * Drops blocks repeated for screens of other widths. Pages with code keep repeats, because manuals repeat a text for
 * each language.
 */
export function withoutRepeats<B extends Block>(blocks: readonly B[]): readonly B[] {
  if (blocks.some(({ kind }) => kind === 'code')) return blocks;
  const seen = new Set<string>();
  return blocks.filter(({ kind, text }) => {
    if (text.length < MIN_LENGTH || (kind !== 'text' && kind !== 'list')) return true;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
