/**
 * Cuts Markdown into parts that each have at most `most` by `sizeOf`, between sections if possible, else between
 * paragraphs, lines, or characters. The parts have all of the text, in order.
 */
export function pageParts(
  markdown: string,
  { most, sizeOf }: { readonly most: number; readonly sizeOf: (text: string) => number },
): readonly string[] {
  const fits = (text: string): boolean => sizeOf(text) <= most;
  const cut = (text: string, level: number): readonly string[] => {
    if (fits(text) || text.length < 2) return [text];
    const by = LEVELS[level];
    return (by ? piecesOf(text, by) : halves(text)).flatMap((piece) => cut(piece, level + 1));
  };
  return joined(cut(markdown, 0), fits);
}

type Level = { readonly starts: RegExp; readonly inCode: boolean };
const LEVELS: readonly Level[] = [
  { starts: /^#{1,2}\s/, inCode: false },
  { starts: /^#{1,6}\s/, inCode: false },
  { starts: /^\s*$/, inCode: false },
  { starts: /^/, inCode: true },
];
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Splits a text before each line at which a new piece may start. Every piece keeps its line ends. */
function piecesOf(text: string, { starts, inCode }: Level): readonly string[] {
  const pieces: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark] = FENCE.exec(line) ?? [];
    const isStart = (fence === undefined || inCode) && starts.test(line);
    if (isStart || pieces.length === 0) pieces.push(line);
    else pieces.push(pieces.pop() + line);
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
  }
  return pieces;
}

/** Splits a line that is too long by itself, between characters. A text of one character is not split. */
function halves(text: string): readonly string[] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')].filter((half) => half !== '');
}

/** Joins neighbouring pieces as long as they fit together, and drops empty lines at the edges. */
function joined(pieces: readonly string[], fits: (text: string) => boolean): readonly string[] {
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last !== undefined && fits(last + piece)) parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts.map((part) => part.replace(/^\n+/, '').trimEnd()).filter((part) => part !== '');
}
