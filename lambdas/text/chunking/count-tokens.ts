/** Longest chunk, and longest piece of a block. */
export const MAX_TOKENS = 400;
/** A text has at least one token for this many characters. */
export const TOKEN_LENGTH = 10;

/** Scripts of which each letter is a token. Korean is not one: it has spaces. */
const TOKEN_PER_LETTER = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}';
const TOKEN = new RegExp(`[${TOKEN_PER_LETTER}]|[\\p{L}\\p{N}\\p{M}]{1,12}|[^\\s\\p{L}\\p{N}\\p{M}]{2,4}`, 'gu');
const LONGEST_WORD = 12;
const LONGEST_SIGN = 4;

/** Classes of UTF-16 code units. OTHER, surrogates and unspaced scripts, is left to the pattern. */
const [BLANK, WORD, SIGN, OTHER] = [1, 2, 3, 4] as const;
const NEEDS_PATTERN = new RegExp(`[\\p{Cs}${TOKEN_PER_LETTER}]`, 'u');
/** By code unit, filled on first use; 0 is unknown. */
const kinds = new Uint8Array(2 ** 16);

/** Word-like tokens, at least one per 10 characters. 12 characters of a word or 4 of punctuation are one token. */
export function countTokens(text: string): number {
  if (text === counted.text) return counted.tokens;
  const tokens = countRuns(text) ?? text.match(TOKEN)?.length ?? 0;
  counted = { text, tokens: Math.max(1, Math.ceil(text.length / TOKEN_LENGTH), tokens) };
  return counted.tokens;
}

/** The last result: callers ask first whether a text fits, then for its length. */
let counted = { text: '', tokens: 1 };

/** Counts what `TOKEN` would match, without creating the matches; undefined if the text needs the pattern. */
function countRuns(text: string): number | undefined {
  let tokens = 0;
  let kind: number = BLANK;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = kinds[code] || learnKind(code);
    if (next === kind) continue;
    if (next === OTHER) return undefined;
    tokens += tokensOfRun(kind, at - from);
    kind = next;
    from = at;
  }
  return tokens + tokensOfRun(kind, text.length - from);
}

function learnKind(code: number): number {
  const kind = kindOf(String.fromCharCode(code));
  kinds[code] = kind;
  return kind;
}

function kindOf(character: string): number {
  if (NEEDS_PATTERN.test(character)) return OTHER;
  if (/\s/.test(character)) return BLANK;
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? WORD : SIGN;
}

function tokensOfRun(kind: number, length: number): number {
  if (kind === WORD) return Math.ceil(length / LONGEST_WORD);
  return kind === SIGN ? Math.floor(length / LONGEST_SIGN) + (length % LONGEST_SIGN > 1 ? 1 : 0) : 0;
}
