import type { Passage } from '../../ports/index-reader.ts';

/** A heading of the page with its anchor. */
export type Section = { readonly heading: string; readonly anchor: string };

/** Returns the section of a line (empty lines not counted); undefined above the first heading with an anchor. */
export function sectionAt({ sections }: Pick<Passage, 'sections'>, line: number): Section | undefined {
  const found = sections.findLast((section) => section.line <= line);
  return found && { heading: found.heading, anchor: found.anchor };
}
