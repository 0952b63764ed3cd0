/** Controls but tabs and line ends, icons of fonts, lone surrogates, and characters that are not drawn. */
const UNSEEN = /[[\p{Cc}--[\t\n\r]]\p{Co}\p{Cs}\p{DI}\u{FFF9}-\u{FFFB}]/gv;
/** Text without any of them, which most texts are. */
const PLAIN = /^[\t\n\r -~]*$/;
const JOINERS = /[\u200C\u200D]/;
const EMOJI_STYLES = /[\uFE0E\uFE0F]/;
const [AFTER_SHAPED, BEFORE_SHAPED] = [/[[\p{L}\p{M}]--\p{Script=Latin}]$/v, /^[[\p{L}\p{M}]--\p{Script=Latin}]/v];
const [AFTER_EMOJI, BEFORE_EMOJI] = [/[\p{ExtPict}\p{Emoji_Modifier}\uFE0F]$/v, /^\p{ExtPict}/v];
const AFTER_STYLED = /\p{ExtPict}$/v;

/**
 * Removes what people do not see and programs would read: controls, zero-width characters, marks of direction, tags and
 * variation selectors. Joiners inside words and emoji stay.
 */
export const visibleText = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(UNSEEN, (char, offset: number) => (isNeeded(char, text, offset) ? char : ''));

function isNeeded(char: string, text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 2), offset);
  if (EMOJI_STYLES.test(char)) return AFTER_STYLED.test(before);
  if (!JOINERS.test(char)) return false;
  const after = text.slice(offset + 1, offset + 3);
  const isInEmoji = AFTER_EMOJI.test(before) && BEFORE_EMOJI.test(after);
  return isInEmoji || (AFTER_SHAPED.test(before) && BEFORE_SHAPED.test(after));
}
