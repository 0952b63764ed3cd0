const SPACE = 32;
const TAB = 9;
const RETURN = 13;

/** Gives each run of a text between ASCII white space, with the offset of its start, in order. */
export function eachPiece(text: string, visit: (piece: string, start: number) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE || (code >= TAB && code <= RETURN)) {
      if (start >= 0) visit(text.slice(start, at), start);
      start = -1;
    } else if (start < 0) start = at;
  }
  if (start >= 0) visit(text.slice(start), start);
}
