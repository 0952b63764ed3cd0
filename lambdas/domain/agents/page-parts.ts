/**
 * Cuts Markdown into parts that each have at most `most` by `sizeOf`, between sections if possible, else between
 * paragraphs, lines, or characters. The parts have all of the text, in order. `sizeOf` of two texts is that of the two
 * joined. A fence that is opened again in the next part comes on top.
 */
export function pageParts(
  markdown: string,
  { most, sizeOf }: { readonly most: number; readonly sizeOf: (text: string) => number },
): readonly string[] {
  const cut = (text: string, level: number): readonly Piece[] => {
    const size = sizeOf(text);
    if (size <= most || text.length < 2) return [{ text, size }];
    const by = LEVELS[level];
    return (by ? piecesOf(text, by) : halves(text)).flatMap((piece) => cut(piece, level + 1));
  };
  return withWholeFences(joined(cut(markdown, 0), most));
}

type Piece = { readonly text: string; readonly size: number };
type Level = { readonly starts: RegExp; readonly inCode: boolean };
const LEVELS: readonly Level[] = [
  { starts: /^#{1,2}\s/, inCode: false },
  { starts: /^#{1,6}\s/, inCode: false },
  { starts: /^\s*$/, inCode: false },
  { starts: /^/, inCode: true },
];
/** The mark of a code block, and the name of its language. */
const FENCE = /^ {0,9}(`{3,}|~{3,}) {0,3}([\w+#.-]{0,30})/;

/** Splits a text before each line at which a new piece may start. Every piece keeps its line ends. */
function piecesOf(text: string, { starts, inCode }: Level): readonly string[] {
  const pieces: string[] = [];
  let fence: Fence | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const isStart = (fence === undefined || inCode) && starts.test(line);
    if (isStart || pieces.length === 0) pieces.push(line);
    else pieces.push(pieces.pop() + line);
    fence = fenceAfter(line, fence);
  }
  return pieces;
}

type Fence = { readonly mark: string; readonly language: string };

/** Returns the code block that is open after a line. */
function fenceAfter(line: string, before: Fence | undefined): Fence | undefined {
  const [, mark, language = ''] = FENCE.exec(line) ?? [];
  if (mark === undefined) return before;
  if (before === undefined) return { mark, language };
  return mark.startsWith(before.mark) ? undefined : before;
}

/** Splits a line that is too long by itself, between characters. A text of one character is not split. */
function halves(text: string): readonly string[] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')].filter((half) => half !== '');
}

/** Joins neighbouring pieces as long as they fit together, and drops empty lines at the edges. */
function joined(pieces: readonly Piece[], most: number): readonly string[] {
  const parts: Piece[] = [];
  for (const { text, size } of pieces) {
    const last = parts.at(-1);
    if (last && last.size + size <= most) parts[parts.length - 1] = { text: last.text + text, size: last.size + size };
    else parts.push({ text, size });
  }
  return parts.map(({ text }) => text.replace(/^\n+/, '').trimEnd()).filter((text) => text !== '');
}

/** Closes a code block at the end of a part, and opens it again in the next one. */
function withWholeFences(parts: readonly string[]): readonly string[] {
  let open: Fence | undefined;
  return parts.map((part) => {
    const start = open ? `${open.mark}${open.language}\n` : '';
    for (const line of part.split('\n')) open = fenceAfter(line, open);
    return `${start}${part}${open ? `\n${open.mark}` : ''}`;
  });
}
