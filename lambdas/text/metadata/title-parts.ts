/** A title cut at its separators: `parts[i]` is followed by `marks[i]`. */
export type TitleParts = { readonly parts: readonly string[]; readonly marks: readonly string[] };

/** Separates parts such as the page's and the site's name; `::` inside a word does not. */
const SEPARATOR = / ?(?:\||(?<!\w)::|::(?!\w)|»|›) ?| [·•~—–/-] |: /g;
const QUOTES = /[‘’“”"]/g;
const MAX_PARTS = 12;

export function cutTitle(title: string): TitleParts {
  return { parts: title.split(SEPARATOR), marks: title.match(SEPARATOR) ?? [] };
}

/** Returns the parts from `from` up to, and without, `to`, with their separators. */
export function joinParts({ parts, marks }: TitleParts, from: number, to: number): string {
  let joined = parts[from] ?? '';
  for (let i = from + 1; i < to; i++) joined += (marks[i - 1] ?? '') + (parts[i] ?? '');
  return joined;
}

/** Returns letters and digits in lower case, with single spaces between words. An apostrophe does not split a word. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/['‘’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Returns whether a heading is the whole title, its first parts, or its last parts after a colon or the site's name.
 */
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

/** Returns the heading's spelling if only the case differs, else the title's. */
export function bestSpelling(heading: string, inTitle: string): string {
  const [a, b] = [heading.replace(QUOTES, "'"), inTitle.replace(QUOTES, "'")];
  return a !== b && a.toLowerCase() === b.toLowerCase() ? heading : inTitle;
}
