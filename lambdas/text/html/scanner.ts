import { HtmlNames } from './names.ts';
import { wordSet } from './word-set.ts';

/*
 * Where the scanner departs from the HTML standard, 13.2.5 "Tokenization":
 *
 * - Comments, declarations and a tag that the page ends in give no event, nor does a final `</`.
 * - "End tag open state": an end tag ends at its first `>`, even one inside of an attribute.
 * - "Markup declaration open state": a CDATA section is text everywhere, not only inside SVG and MathML.
 * - "Script data escaped state": a `script` ends at the first `</script`, also behind `<!--`.
 * - "Preprocessing the input stream": NUL characters and carriage returns stay.
 */

/** Names are in lower case; texts and values are offsets into the page. */
export type HtmlEvents = {
  readonly onText: (start: number, end: number) => void;
  readonly onOpenTagName: (name: string) => void;
  readonly onAttribute: (name: string, valueStart: number, valueEnd: number) => void;
  readonly onOpenTagEnd: (isSelfClosed: boolean) => void;
  readonly onCloseTag: (name: string) => void;
  /** True inside `svg` or `math`, where no element has raw text. */
  readonly isInForeignContext: () => boolean;
};

/** Elements whose content is text up to their end tag (13.2.6.2 and 13.2.6.4). */
const TEXT_ONLY = wordSet('script style title textarea xmp iframe noembed noframes plaintext');
const CDATA = '[CDATA[';

const [TAB, LF, FF, CR, SPACE] = [0x09, 0x0a, 0x0c, 0x0d, 0x20];
const [BANG, QUOTE, APOSTROPHE, SLASH, EQUALS, GREATER, QUESTION] = [0x21, 0x22, 0x27, 0x2f, 0x3d, 0x3e, 0x3f];

// Most characters are letters: one comparison is enough for them.
const isSpace = (code: number): boolean =>
  code <= SPACE && (code === SPACE || code === LF || code === TAB || code === CR || code === FF);
const endsName = (code: number): boolean => code <= GREATER && (code === GREATER || code === SLASH || isSpace(code));
const endsAttributeName = (code: number): boolean => code <= GREATER && (code === EQUALS || endsName(code));
const isLetter = (code: number): boolean => (code | SPACE) >= 0x61 && (code | SPACE) <= 0x7a;

/**
 * Reports a page's text and tags in document order, in linear time. With `selfClosing`, a self-closing element has no
 * text, whatever its name.
 */
export function scanHtml(html: string, events: HtmlEvents, selfClosing: boolean): void {
  new Scanner(html, events, selfClosing).run();
}

class Scanner {
  readonly #html: string;
  readonly #events: HtmlEvents;
  readonly #selfClosing: boolean;
  readonly #names: HtmlNames;
  /** Start of the text that no event has reported yet. */
  #textStart = 0;
  #isSelfClosed = false;

  constructor(html: string, events: HtmlEvents, selfClosing: boolean) {
    this.#html = html;
    this.#events = events;
    this.#selfClosing = selfClosing;
    this.#names = new HtmlNames(html);
  }

  run(): void {
    const html = this.#html;
    for (let from = 0; from < html.length; ) {
      const less = html.indexOf('<', from);
      const code = less < 0 ? 0 : html.charCodeAt(less + 1);
      if (less < 0) {
        from = html.length;
        this.#reportText(from);
      } else if (isLetter(code)) {
        this.#reportText(less);
        from = this.#openTag(less + 1);
      } else if (code === SLASH) {
        this.#reportText(less);
        from = this.#closeTag(less + 2);
      } else if (code === BANG || code === QUESTION) {
        this.#reportText(less);
        from = this.#markup(less + 1);
      } else {
        from = less + 1;
        continue;
      }
      this.#textStart = from;
    }
    this.#reportText(html.length);
  }

  #reportText(end: number): void {
    if (end > this.#textStart) this.#events.onText(this.#textStart, end);
    this.#textStart = end;
  }

  #openTag(start: number): number {
    const mayHaveText = !this.#events.isInForeignContext();
    const nameEnd = this.#nameEnd(start);
    if (nameEnd === this.#html.length) return nameEnd;
    const name = this.#names.read(start, nameEnd);
    this.#events.onOpenTagName(name);
    const end = this.#attributes(nameEnd);
    const isTextOnly = mayHaveText && TEXT_ONLY.has(name) && !(this.#isSelfClosed && this.#selfClosing);
    return isTextOnly && end < this.#html.length ? this.#textOnly(name, end) : end;
  }

  /** Reports the attributes and the end of a tag; answers the index after it. */
  #attributes(from: number): number {
    const html = this.#html;
    this.#isSelfClosed = false;
    let at = from;
    while (at < html.length) {
      const code = html.charCodeAt(at);
      if (code === GREATER) {
        this.#events.onOpenTagEnd(false);
        return at + 1;
      }
      if (isSpace(code)) at++;
      else if (code === SLASH) {
        at = this.#skipSpace(at + 1);
        if (html.charCodeAt(at) !== GREATER) continue;
        this.#isSelfClosed = true;
        this.#events.onOpenTagEnd(true);
        return at + 1;
      } else at = this.#attribute(at);
    }
    return html.length;
  }

  #attribute(start: number): number {
    const html = this.#html;
    let nameEnd = start + 1;
    while (nameEnd < html.length && !endsAttributeName(html.charCodeAt(nameEnd))) nameEnd++;
    const after = this.#skipSpace(nameEnd);
    if (after === html.length) return after;
    if (html.charCodeAt(after) !== EQUALS) {
      this.#events.onAttribute(this.#names.read(start, nameEnd), nameEnd, nameEnd);
      return after;
    }
    const value = this.#skipSpace(after + 1);
    const quote = html.charCodeAt(value);
    const isQuoted = quote === QUOTE || quote === APOSTROPHE;
    const end = isQuoted ? html.indexOf(quote === QUOTE ? '"' : "'", value + 1) : this.#unquotedEnd(value);
    if (end < 0 || end === html.length) return html.length;
    this.#events.onAttribute(this.#names.read(start, nameEnd), isQuoted ? value + 1 : value, end);
    return isQuoted ? end + 1 : end;
  }

  /** Reports the text of an element that has only text, and its end tag; answers the index after that. */
  #textOnly(name: string, from: number): number {
    const html = this.#html;
    let end = name === 'plaintext' ? -1 : html.indexOf('</', from);
    while (end >= 0 && !this.#isEndTag(name, end + 2)) end = html.indexOf('</', end + 2);
    this.#textStart = from;
    this.#reportText(end < 0 ? html.length : end);
    return end < 0 ? html.length : this.#closeTag(end + 2);
  }

  #isEndTag(name: string, at: number): boolean {
    const end = at + name.length;
    return endsName(this.#html.charCodeAt(end)) && this.#html.slice(at, end).toLowerCase() === name;
  }

  #closeTag(start: number): number {
    const html = this.#html;
    if (start >= html.length) return html.length;
    if (!isLetter(html.charCodeAt(start))) return this.#indexAfter('>', start);
    const end = this.#nameEnd(start);
    if (end === html.length) return end;
    this.#events.onCloseTag(this.#names.read(start, end));
    return html.charCodeAt(end) === GREATER ? end + 1 : this.#indexAfter('>', end);
  }

  /** Skips a comment, declaration or instruction, whose `<` is before `start`; reports the text of a CDATA section. */
  #markup(start: number): number {
    const html = this.#html;
    if (html.startsWith('!--', start)) return this.#commentEnd(start + 3);
    if (!html.startsWith(CDATA, start + 1) || html.charCodeAt(start) !== BANG) return this.#indexAfter('>', start + 1);
    const from = start + 1 + CDATA.length;
    const end = html.indexOf(']]>', from);
    if (end < 0) return html.length;
    this.#textStart = from;
    this.#reportText(end);
    return end + 3;
  }

  #commentEnd(from: number): number {
    const html = this.#html;
    if (html.charCodeAt(from) === GREATER) return from + 1;
    if (html.startsWith('->', from)) return from + 2;
    for (let dashes = html.indexOf('--', from); dashes >= 0; dashes = html.indexOf('--', dashes + 1)) {
      if (html.charCodeAt(dashes + 2) === GREATER) return dashes + 3;
      if (html.startsWith('!>', dashes + 2)) return dashes + 4;
    }
    return html.length;
  }

  #nameEnd(from: number): number {
    const html = this.#html;
    let at = from;
    while (at < html.length && !endsName(html.charCodeAt(at))) at++;
    return at;
  }

  #unquotedEnd(from: number): number {
    let at = from;
    for (let code = this.#html.charCodeAt(at); at < this.#html.length && code !== GREATER && !isSpace(code); ) {
      at++;
      code = this.#html.charCodeAt(at);
    }
    return at;
  }

  #skipSpace(from: number): number {
    const html = this.#html;
    let at = from;
    while (at < html.length && isSpace(html.charCodeAt(at))) at++;
    return at;
  }

  #indexAfter(character: string, from: number): number {
    const at = this.#html.indexOf(character, from);
    return at < 0 ? this.#html.length : at + 1;
  }
}
