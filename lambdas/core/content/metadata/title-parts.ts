/** A title cut at its separators: `parts[i]` is followed by `marks[i]`. */
export type TitleParts = { readonly parts: readonly string[]; readonly marks: readonly string[] };

/**
 * What stands between the parts of a title, such as the page's name and the site's; `::` inside a word is a part of a
 * name.
 */
const SEPARATOR = / ?(?:\||(?<!\w)::|::(?!\w)|»|›) ?| [·•~—–/-] |: /g;
const QUOTES = /[‘’“”"]/g;
/** A longer title is not searched for runs to its end. */
const MAX_PARTS = 12;

export function cutTitle(title: string): TitleParts {
  return { parts: title.split(SEPARATOR), marks: title.match(SEPARATOR) ?? [] };
}

/** The parts `from` up to `to`, with what stands between them. */
export function joinParts({ parts, marks }: TitleParts, from: number, to: number): string {
  let joined = parts[from] ?? '';
  for (let i = from + 1; i < to; i++) joined += (marks[i - 1] ?? '') + (parts[i] ?? '');
  return joined;
}

/** Letters and digits in lower case, a blank between words; apostrophes do not part words. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/['‘’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** True if a heading is the whole title, its first parts, or its last ones behind a colon or the site's name. */
export function isNameIn(title: TitleParts, heading: string, isSite: (part: string) => boolean): boolean {
  const name = folded(heading);
  if (name === '') return false;
  const count = title.parts.length;
  if (count > 1 && isSite(title.parts[0] ?? '') && folded(joinParts(title, 1, count)) === name) return true;
  for (let i = 1; i <= count; i++) {
    if (folded(joinParts(title, 0, i)) === name) return true;
    if (title.marks[i - 1] === ': ' && folded(joinParts(title, i, count)) === name) return true;
  }
  return false;
}

/** The parts that stand together in a title and pass a test, from its first such part on. */
export function findRun(title: TitleParts, isFound: (run: string) => boolean): string | undefined {
  const count = Math.min(title.parts.length, MAX_PARTS);
  for (let from = 0; from < count; from++) {
    for (let to = from + 1; to <= count; to++) {
      const run = joinParts(title, from, to);
      if (isFound(run)) return run;
    }
  }
  return undefined;
}

/** Of a name's spelling as a heading and in a title: the heading's, where its case is its own, else the title's. */
export function spelled(heading: string, inTitle: string): string {
  const [a, b] = [heading.replace(QUOTES, "'"), inTitle.replace(QUOTES, "'")];
  return a !== b && a.toLowerCase() === b.toLowerCase() ? heading : inTitle;
}
