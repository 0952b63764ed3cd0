/** At most so many characters count as one token, whatever they are. */
export const TOKEN_LENGTH = 10;

const TOKEN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}\p{M}]{1,12}|[^\s\p{L}\p{N}\p{M}]{2,4}/gu;

/**
 * Word-like tokens of a text, at least 1 and one for 10 characters: long words count several times, scripts without spaces by letter,
 * signs by four where they stand together; a single one belongs to the word beside it.
 */
export function countTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / TOKEN_LENGTH), text.match(TOKEN)?.length ?? 0);
}
