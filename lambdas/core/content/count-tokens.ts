/** At most so many characters count as one token, whatever they are. */
export const TOKEN_LENGTH = 10;

const TOKEN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}\p{M}]{1,12}|[^\s\p{L}\p{N}\p{M}]{2,4}/gu;

const BLANK = 0;
const WORD = 1;
const SIGN = 2;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return BLANK;
  return /[\p{L}\p{N}]/u.test(character) ? WORD : SIGN;
});
const NOT_ASCII = /[^\0-\x7f]/;
const LONGEST_WORD = 12;
const LONGEST_SIGN = 4;

/**
 * Word-like tokens of a text, at least 1 and one for 10 characters: long words count several times, scripts without spaces by letter,
 * signs by four where they stand together; a single one belongs to the word beside it.
 */
export function countTokens(text: string): number {
  const tokens = NOT_ASCII.test(text) ? (text.match(TOKEN)?.length ?? 0) : countAscii(text);
  return Math.max(1, Math.ceil(text.length / TOKEN_LENGTH), tokens);
}

/** As many as `TOKEN` finds, in half the time. */
function countAscii(text: string): number {
  let tokens = 0;
  let kind = BLANK;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const next = at < text.length ? (KINDS[text.charCodeAt(at)] ?? BLANK) : BLANK;
    if (next === kind) continue;
    tokens += tokensOfRun(kind, at - from);
    kind = next;
    from = at;
  }
  return tokens;
}

function tokensOfRun(kind: number, length: number): number {
  if (kind === WORD) return Math.ceil(length / LONGEST_WORD);
  // A sign that is left over alone is none.
  return kind === SIGN ? Math.floor(length / LONGEST_SIGN) + (length % LONGEST_SIGN > 1 ? 1 : 0) : 0;
}
