import type { Passage } from '../../ports/index-reader.ts';

/** A heading of the page that a link can lead to. */
export type Section = { readonly heading: string; readonly anchor: string };

/** The section of a passage's line, counted without empty lines; undefined above the first heading with an anchor. */
export function sectionAt({ sections }: Pick<Passage, 'sections'>, line: number): Section | undefined {
  const found = sections.findLast((section) => section.line <= line);
  return found && { heading: found.heading, anchor: found.anchor };
}
