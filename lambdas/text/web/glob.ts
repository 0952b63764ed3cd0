/** A pattern in which each `*` matches any run of characters, split at its asterisks. */
export type Glob = {
  readonly head: string;
  /** Texts that must follow the head in this order, with any text between them. */
  readonly parts: readonly string[];
  /** The last part ends the text. Without it the text may go on. */
  readonly anchored: boolean;
};

/**
 * Matches in linear time, without backtracking: the first occurrence of a part leaves the most text for the next one.
 */
export function matchesGlob({ head, parts, anchored }: Glob, text: string): boolean {
  if (!text.startsWith(head)) return false;
  const tail = anchored ? parts.at(-1) : undefined;
  const inner = tail === undefined ? parts : parts.slice(0, -1);
  let end = head.length;
  for (const part of inner) {
    const start = text.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  if (!anchored) return true;
  return tail === undefined ? end === text.length : text.endsWith(tail) && text.length - tail.length >= end;
}
