/** At most so many characters count as one token, whatever they are. */
export const TOKEN_LENGTH = 10;

const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}';
const TOKEN = new RegExp(`[${UNSPACED}]|[\\p{L}\\p{N}\\p{M}]{1,12}|[^\\s\\p{L}\\p{N}\\p{M}]{2,4}`, 'gu');
const LONGEST_WORD = 12;
const LONGEST_SIGN = 4;

/** What a unit of UTF-16 is to a token; the parts of a pair and letters of scripts without spaces are left to the pattern. */
const [BLANK, WORD, SIGN, OTHER] = [1, 2, 3, 4] as const;
const LEFT_TO_PATTERN = new RegExp(`[\\p{Cs}${UNSPACED}]`, 'u');
/** Of those that were seen; 0 of others. */
const kinds = new Uint8Array(2 ** 16);

/**
 * Word-like tokens of a text, at least 1 and one for 10 characters: long words count several times, scripts without spaces by letter,
 * signs by four where they stand together; a single one belongs to the word beside it.
 */
export function countTokens(text: string): number {
  if (text === counted.text) return counted.tokens;
  const tokens = countRuns(text) ?? text.match(TOKEN)?.length ?? 0;
  counted = { text, tokens: Math.max(1, Math.ceil(text.length / TOKEN_LENGTH), tokens) };
  return counted.tokens;
}

/** The last one: first it is asked whether a text is too long, then how long it is. */
let counted = { text: '', tokens: 1 };

/** As many as `TOKEN` finds, without making them; undefined where the pattern must be asked. */
function countRuns(text: string): number | undefined {
  let tokens = 0;
  let kind: number = BLANK;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = kinds[code] || kindSeen(code);
    if (next === kind) continue;
    if (next === OTHER) return undefined;
    tokens += tokensOfRun(kind, at - from);
    kind = next;
    from = at;
  }
  return tokens + tokensOfRun(kind, text.length - from);
}

function kindSeen(code: number): number {
  const kind = kindOf(String.fromCharCode(code));
  kinds[code] = kind;
  return kind;
}

function kindOf(character: string): number {
  if (LEFT_TO_PATTERN.test(character)) return OTHER;
  if (/\s/.test(character)) return BLANK;
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? WORD : SIGN;
}

function tokensOfRun(kind: number, length: number): number {
  if (kind === WORD) return Math.ceil(length / LONGEST_WORD);
  // A sign that is left over alone is none.
  return kind === SIGN ? Math.floor(length / LONGEST_SIGN) + (length % LONGEST_SIGN > 1 ? 1 : 0) : 0;
}
