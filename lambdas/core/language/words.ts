/** A word or a part of one; offsets into the text. */
export type Span = { readonly start: number; readonly end: number };

/** What stands at one position: a word, an identifier followed by its parts, or two characters of a script without spaces. */
export type Word = { readonly spans: readonly Span[] };

/** A character class of the scripts that put no blanks between words. */
export const UNSPACED =
  '[[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\uff70\\u3099\\u309a\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]' +
  '&&[\\p{L}\\p{N}\\p{M}]]';
const FIRST = `[[\\p{L}\\p{N}]--${UNSPACED}]`;
const REST = `[[\\p{L}\\p{N}\\p{M}\\u00ad\\u200c\\u200d\\u2060]--${UNSPACED}]`;
const CONTRACTED = `(?:['\\u2019](?:[sStTdDmM]|[rR][eE]|[vV][eE]|[lL]{2})(?!${REST}))`;
const ATOM = `${FIRST}${REST}*${CONTRACTED}?`;
const SIGN_BEFORE = '(?<![\\p{L}\\p{N}\\p{M}.@$_\\-])(?:--?|[.@$]|_{1,2})';
const SIGN_AFTER = '(?:\\+\\+|#|_{1,2})(?![\\p{L}\\p{N}])';
const JOINT = '(?:_+|::|[.:\\/@&+\\-\\u2010\\u2011])';
/** Deterministic at every character, so that it is linear in the text. */
const TOKEN = new RegExp(`(?<run>${UNSPACED}+)|(?:${SIGN_BEFORE})?${ATOM}(?:${JOINT}${ATOM})*(?:${SIGN_AFTER})?`, 'gv');
/** Most words of most texts: spares them the look for parts. */
const SIMPLE = /^(?:[A-Z]?[a-z]+|[0-9]+)$/;
const ATOMS = new RegExp(ATOM, 'gv');
const CHARACTERS = new RegExp(`(?!\\p{M})${UNSPACED}\\p{M}*|\\p{M}+`, 'gv');
const CAMEL = /^\p{Ll}{2,}(?:\p{Lu}\p{Ll}+)+$/u;
const HUMPS = /\p{Lu}?\p{Ll}+/gu;
const LONGEST_IDENTIFIER = 64;
const MOST_PARTS = 8;

/**
 * The words of a text in order, in time linear in its length. `pg_dump`, `HTTP/2`, `C++`, `--jobs` and `maxSize` come whole and in
 * parts; what is longer than 64 characters or 8 parts is no identifier, its parts are words. Chinese, Japanese, Korean and
 * the scripts of South-East Asia come as pairs of neighbouring characters.
 */
export function* words(text: string): Generator<Word> {
  for (const found of text.matchAll(TOKEN)) {
    const span = { start: found.index, end: found.index + found[0].length };
    if (SIMPLE.test(found[0])) yield { spans: [span] };
    else if (found.groups?.run === undefined) yield* identifier(text, span);
    else yield* pairs(text, span);
  }
}

function* identifier(text: string, whole: Span): Generator<Word> {
  const atoms = spansOf(text, whole, ATOMS);
  const parts = atoms.flatMap((atom) => [atom, ...humps(text, atom)]);
  const [first] = parts;
  if (!first || (parts.length === 1 && lengthOf(first) === lengthOf(whole))) yield { spans: [whole] };
  else if (atoms.length === 1 && lengthOf(first) === lengthOf(whole)) yield { spans: parts };
  else if (lengthOf(whole) <= LONGEST_IDENTIFIER && parts.length <= MOST_PARTS) yield { spans: [whole, ...parts] };
  else for (const part of parts) yield { spans: [part] };
}

function humps(text: string, atom: Span): readonly Span[] {
  if (lengthOf(atom) > LONGEST_IDENTIFIER || !CAMEL.test(text.slice(atom.start, atom.end))) return [];
  return spansOf(text, atom, HUMPS);
}

function* pairs(text: string, run: Span): Generator<Word> {
  let last: Span | undefined;
  let alone = true;
  for (const found of text.slice(run.start, run.end).matchAll(CHARACTERS)) {
    const start = run.start + found.index;
    const next = { start, end: start + found[0].length };
    if (last) {
      yield { spans: [{ start: last.start, end: next.end }] };
      alone = false;
    }
    last = next;
  }
  if (last && alone) yield { spans: [last] };
}

function spansOf(text: string, within: Span, pattern: RegExp): readonly Span[] {
  return Array.from(text.slice(within.start, within.end).matchAll(pattern), (found) => {
    const start = within.start + found.index;
    return { start, end: start + found[0].length };
  });
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}
