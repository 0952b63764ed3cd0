/** Maximum tokens of a chunk, and of a piece of a block. */
export const MAX_TOKENS = 400;
/** A text has at least one token for this many characters. */
export const TOKEN_LENGTH = 10;

/** Scripts in which each letter is a token. Korean is not among them: it has spaces. */
const TOKEN_PER_LETTER = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}';
const TOKEN = new RegExp(`[${TOKEN_PER_LETTER}]|[\\p{L}\\p{N}\\p{M}]{1,12}|[^\\s\\p{L}\\p{N}\\p{M}]{2,4}`, 'gu');

/** Word-like tokens, at least one per 10 characters. 12 characters of a word or 4 of punctuation are one token. */
export const countTokens = (text: string): number =>
  Math.max(1, Math.ceil(text.length / TOKEN_LENGTH), text.match(TOKEN)?.length ?? 0);
