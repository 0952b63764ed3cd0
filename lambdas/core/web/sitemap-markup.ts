export type MarkupToken =
  /** `name` is in lower case, with its prefix. */
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  /** A piece of text, its entities unread if it is not `literal` (a CDATA section). */
  | { readonly kind: 'text'; readonly text: string; readonly literal: boolean };

/** A tag may be so long; more is no tag. */
const MAX_TAG = 16_384;
const CDATA = '<![CDATA[';
/** What ends a construct that is passed over, by how it starts. */
const SECTIONS = [
  { start: '<!--', end: '-->' },
  { start: CDATA, end: ']]>' },
  { start: '<?', end: '?>' },
] as const;
const LONGEST_START = CDATA.length;
const MARK = /[<>"']/g;
const TAG = /<(\/?)([^\s/<>"'=]+)/y;

/**
 * Cuts markup that comes in parts into tags and text, in linear time and with bounded memory, whatever it is: no structure is asked
 * for, nothing is expanded, and what is broken is passed over.
 */
export class MarkupReader {
  readonly #take: (token: MarkupToken) => void;
  #rest = '';
  #section: (typeof SECTIONS)[number] | undefined;

  constructor(take: (token: MarkupToken) => void) {
    this.#take = take;
  }

  write(part: string): void {
    const text = this.#rest + part;
    let at = 0;
    for (let next: number | undefined = at; next !== undefined; next = this.#step(text, at)) at = next;
    this.#rest = text.slice(at);
  }

  /** Takes what stands at `at`; answers where to go on, or undefined if its end is still to come. */
  #step(text: string, at: number): number | undefined {
    if (at >= text.length) return undefined;
    if (this.#section) return this.#inSection(this.#section, text, at);
    if (text[at] !== '<') return this.#text(text, at, indexOrEnd(text, '<', at));
    const next = text[at + 1];
    return next === '!' || next === '?' || next === undefined ? this.#declaration(text, at) : this.#tag(text, at);
  }

  #declaration(text: string, at: number): number | undefined {
    const section = SECTIONS.find(({ start }) => text.startsWith(start, at));
    if (section) {
      this.#section = section;
      return at + section.start.length;
    }
    const isShort = text.length - at < LONGEST_START;
    return isShort && SECTIONS.some(({ start }) => start.startsWith(text.slice(at))) ? undefined : this.#tag(text, at);
  }

  #text(text: string, from: number, to: number, literal = false): number {
    if (to > from) this.#take({ kind: 'text', text: text.slice(from, to), literal });
    return to;
  }

  #inSection({ start, end }: (typeof SECTIONS)[number], text: string, at: number): number | undefined {
    const found = text.indexOf(end, at);
    // The end may be split between two parts.
    const to = found >= 0 ? found : Math.max(at, text.length - end.length + 1);
    if (start === CDATA) this.#text(text, at, to, true);
    if (found < 0) return to > at ? to : undefined;
    this.#section = undefined;
    return found + end.length;
  }

  #tag(text: string, at: number): number | undefined {
    const end = tagEnd(text, at);
    if (end === undefined) return text.length - at > MAX_TAG ? text.length : undefined;
    TAG.lastIndex = at;
    const [start = '', slash, written] = TAG.exec(text) ?? [];
    if (written === undefined || written.startsWith('!') || text[end - 1] !== '>') return end;
    const name = written.toLowerCase();
    if (slash) this.#take({ kind: 'close', name });
    else {
      const attributes = text.slice(at + start.length, end - 1);
      this.#take({ kind: 'open', name, attributes, isEmpty: attributes.endsWith('/') });
    }
    return end;
  }
}

/** Where the tag at `at` ends: after its ">", or before the next "<" outside quotes if it has none. */
function tagEnd(text: string, at: number): number | undefined {
  for (MARK.lastIndex = at + 1; MARK.test(text); ) {
    const found = MARK.lastIndex - 1;
    const character = text[found] as string;
    if (character === '>') return found + 1;
    if (character === '<') return found;
    const quote = text.indexOf(character, found + 1);
    if (quote < 0) return undefined;
    MARK.lastIndex = quote + 1;
  }
  return undefined;
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}
