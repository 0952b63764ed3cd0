const ELLIPSIS = '…';

/**
 * Returns a text of at most `length` characters: the whole text, or the part of it around `middle`, which begins and
 * ends at white space.
 */
export function cutText(text: string, middle: string, length: number): string {
  if (text.length <= length) return text.trim();
  const found = text.indexOf(middle.replace(/^…|…$/g, '').slice(0, FIRST_CHARACTERS));
  const from = Math.max(0, Math.min(found - LEAD, text.length - length));
  const start = from === 0 ? 0 : afterSpace(text, from);
  const end = start + length >= text.length ? text.length : beforeSpace(text, start + length - 2);
  const part = text.slice(start, end).trim().toWellFormed();
  return `${start > 0 ? ELLIPSIS : ''}${part}${end < text.length ? ELLIPSIS : ''}`;
}

/** The start of the snippet, by which its place in the passage is found. Its line ends may differ. */
const FIRST_CHARACTERS = 30;
/** Characters before the snippet that are shown if the text is cut. */
const LEAD = 120;
/** Characters among which a space is looked for. */
const NEAR = 40;

function afterSpace(text: string, at: number): number {
  const space = text.slice(at, at + NEAR).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

function beforeSpace(text: string, at: number): number {
  const space = text.slice(at - NEAR, at).search(/\s\S*$/);
  return space < 0 ? at : at - NEAR + space;
}
