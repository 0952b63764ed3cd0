/** A word or a part of one; offsets into the text. */
export type Span = { readonly start: number; readonly end: number };

/**
 * A word, an identifier followed by its parts, or two characters of a script without spaces. If an identifier has
 * parts, `ends` has the text after each of its dots: people also call `stat.FILE_ATTRIBUTE_HIDDEN` by its last name.
 */
export type Word = { readonly spans: readonly Span[]; readonly ends?: readonly Span[] };

const UNSPACED_SCRIPTS =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\uff70\\u3099\\u309a\\p{sc=Hangul}' +
  '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
/** Character class of Korean and of scripts without spaces between words: their letters are indexed in pairs. */
export const UNSPACED = `[[${UNSPACED_SCRIPTS}]&&[\\p{L}\\p{N}\\p{M}]]`;
const FIRST = `[[\\p{L}\\p{N}]--${UNSPACED}]`;
const REST = `[[\\p{L}\\p{N}\\p{M}\\u00ad\\u200c\\u200d\\u2060]--${UNSPACED}]`;
const CONTRACTED = `(?:['\\u2019](?:[sStTdDmM]|[rR][eE]|[vV][eE]|[lL]{2})(?!${REST}))`;
const ATOM = `${FIRST}${REST}*${CONTRACTED}?`;
const SIGN_BEFORE = '(?<![\\p{L}\\p{N}\\p{M}.@$_\\-])(?:--?|[.@$]|_{1,2})';
const SIGN_AFTER = '(?:\\+\\+|#|_{1,2})(?![\\p{L}\\p{N}])';
const JOINT = '(?:_+|::|[.:\\/@&+\\-\\u2010\\u2011])';
/** Takes linear time: every character leaves only one way to continue. */
const TOKEN = new RegExp(`(${UNSPACED}+)|(?:${SIGN_BEFORE})?${ATOM}(?:${JOINT}${ATOM})*(?:${SIGN_AFTER})?`, 'gv');
const ATOMS = new RegExp(ATOM, 'gv');
const CHARACTERS = new RegExp(`(?!\\p{M})${UNSPACED}\\p{M}*|\\p{M}+`, 'gv');
/** Identifiers in which everything between two signs is an atom. */
const PLAIN_IDENTIFIER = /^[!-&(-~]+$/;
const CAMEL = /^\p{Ll}{2,}(?:\p{Lu}\p{Ll}+)+$/u;
const HUMPS = /\p{Lu}?\p{Ll}+/gu;
const LETTER = /^\p{L}/u;
const MAX_IDENTIFIER_LENGTH = 64;
const MAX_PARTS = 8;

/**
 * Yields the words of a text in linear time. `pg_dump`, `C++` and `maxSize` come whole and in parts, or only in parts
 * if longer than 64 characters or 8 parts. Scripts without spaces, and Korean, come as pairs of characters.
 */
export function* words(text: string): Generator<Word> {
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text, at);
    if (kind === GAP) at++;
    else {
      const end = kind === PLAIN ? plainEnd(text, at) : undefined;
      if (end === undefined) at = yield* wordsAt(text, at);
      else {
        yield { spans: [{ start: at, end }] };
        at = end;
      }
    }
  }
}

/** Yields the words of the first token from `from` on. Returns the end of the token. */
function* wordsAt(text: string, from: number): Generator<Word, number> {
  TOKEN.lastIndex = from;
  const found = TOKEN.exec(text);
  if (!found) return text.length;
  const span = { start: found.index, end: found.index + found[0].length };
  const [, unspaced] = found;
  if (unspaced === undefined) yield* identifier(text, span);
  else yield* pairs(text, span);
  return span.end;
}

/** Returns whether an ASCII character always separates words, so that the texts on both sides are independent. */
export const endsWords = (character: string): boolean => /[\s,;()"!?<>[\]{}|=*%^~`\\]/.test(character);
/** A run without ASCII characters for which `endsWords` holds. */
const INDEPENDENT = /[^\t\n\v\f\r ,;()"!?<>[\]{}|=*%^~`\\]+/g;

/** Returns the parts of a text that can be read independently of each other, in order. */
export const independentPieces = (text: string): readonly string[] => text.match(INDEPENDENT) ?? [];

/** PLAIN is always part of a word, GAP never. OTHER depends on its neighbours, as does all beyond ASCII. */
const [OTHER, PLAIN, GAP] = [0, 1, 2] as const;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9]/.test(character)) return PLAIN;
  return endsWords(character) ? GAP : OTHER;
});
const kindOf = (text: string, at: number): number => KINDS[text.charCodeAt(at)] ?? OTHER;
/** Characters that join two words. They belong to no word if none follows. */
const JOINS = /[.:'/@&-]/;

/** Returns the end of a word of plain letters and digits; undefined if the word may be an identifier or longer. */
function plainEnd(text: string, start: number): number | undefined {
  let end = start;
  for (let wasSmall = false; kindOf(text, end) === PLAIN; end++) {
    const code = text.charCodeAt(end);
    if (wasSmall && code >= CAPITALS.from && code <= CAPITALS.to) return undefined;
    wasSmall = code > CAPITALS.to;
  }
  const isEnd = (at: number) => at >= text.length || kindOf(text, at) === GAP;
  return isEnd(end) || (isEnd(end + 1) && JOINS.test(text.charAt(end))) ? end : undefined;
}

const CAPITALS = { from: 65, to: 90 } as const;

function* identifier(text: string, whole: Span): Generator<Word> {
  const atoms = atomsOf(text, whole);
  const parts = atoms.flatMap((atom) => [atom, ...humps(text, atom)]);
  const [first] = parts;
  if (!first || (parts.length === 1 && lengthOf(first) === lengthOf(whole))) yield { spans: [whole] };
  else if (atoms.length === 1 && lengthOf(first) === lengthOf(whole)) yield { spans: parts };
  else if (lengthOf(whole) <= MAX_IDENTIFIER_LENGTH && parts.length <= MAX_PARTS)
    yield { spans: [whole, ...parts], ends: endsOf(text, atoms) };
  else for (const part of parts) yield { spans: [part] };
}

/** Returns the text after each dot of an identifier, except the last atom, which is already a part. */
function endsOf(text: string, atoms: readonly Span[]): readonly Span[] {
  const end = atoms.at(-1)?.end ?? 0;
  return atoms.slice(1, -1).flatMap(({ start }, i) => {
    const joint = text.slice(atoms[i]?.end, start);
    return (joint === '.' || joint === '::') && LETTER.test(text.slice(start, end)) ? [{ start, end }] : [];
  });
}

function atomsOf(text: string, whole: Span): readonly Span[] {
  if (!PLAIN_IDENTIFIER.test(text.slice(whole.start, whole.end))) return spansOf(text, whole, ATOMS);
  const atoms: Span[] = [];
  for (let start = whole.start; start < whole.end; ) {
    let end = start;
    while (end < whole.end && kindOf(text, end) === PLAIN) end++;
    if (end > start) atoms.push({ start, end });
    start = end + 1;
  }
  return atoms;
}

function humps(text: string, atom: Span): readonly Span[] {
  if (lengthOf(atom) > MAX_IDENTIFIER_LENGTH || !CAMEL.test(text.slice(atom.start, atom.end))) return [];
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
