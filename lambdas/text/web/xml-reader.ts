import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Converts text to tags, for any XML. */

/** `name` is in lower case, with its prefix, and so are the names of the attributes. */
export type XmlTag = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The tag ends with "/>". */
  readonly isEmpty: boolean;
};

export type XmlHandler = {
  open(tag: XmlTag): void;
  close(name: string): void;
  /** Receives decoded text. One text may come in several parts. */
  text(text: string): void;
};

/** Characters kept of a longer name, attribute or CDATA section. */
const MAX_TOKEN_LENGTH = 16_384;
const MAX_ATTRIBUTES = 64;
const REPLACEMENT_CHARACTER = 0xfffd;

/**
 * Streams the tags and text of XML, well-formed or not, in linear time and bounded memory. Entities that a document
 * declares are not expanded. Uses the tokenizer of htmlparser2 and not its parser: the parser keeps all open elements,
 * searches them at each end tag (quadratic time), and keeps an unfinished comment or tag as a whole.
 */
export class XmlReader {
  readonly #handler: XmlHandler;
  readonly #tokenizer: Tokenizer;
  /** Text that the tokenizer may still refer to, and its offset in the whole. */
  #buffer = '';
  #bufferStart = 0;
  /** The offset up to which the tokenizer has reported everything. */
  #reported = 0;
  #name = '';
  #attribute = '';
  #value = '';
  #attributes = new Map<string, string>();

  constructor(handler: XmlHandler) {
    this.#handler = handler;
    this.#tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, this.#callbacks());
  }

  write(part: string): void {
    const end = this.#bufferStart + this.#buffer.length;
    const start = Math.max(this.#bufferStart, this.#reported, end - MAX_TOKEN_LENGTH);
    this.#buffer = this.#buffer.slice(start - this.#bufferStart) + part;
    this.#bufferStart = start;
    this.#tokenizer.write(part);
  }

  #callbacks(): TokenizerCallbacks {
    const skip = (_: number, end: number) => void this.#take(end, end);
    const text = (start: number, end: number) => this.#handler.text(this.#take(start, end));
    return {
      onopentagname: (start, end) => this.#startTag(this.#take(start, end)),
      onattribname: (start, end) => this.#startAttribute(this.#take(start, end)),
      onattribdata: (start, end) => this.#extendAttribute(this.#take(start, end)),
      onattribentity: (code) => this.#extendAttribute(String.fromCodePoint(code)),
      onattribend: () => this.#endAttribute(),
      onopentagend: () => this.#endTag(false),
      onselfclosingtag: () => this.#endTag(true),
      onclosetag: (start, end) => this.#handler.close(elementName(this.#take(start, end))),
      ontext: text,
      ontextentity: (code, end) => this.#handler.text(this.#decoded(code, end)),
      oncdata: (start, end, mark) => text(start, end - mark),
      oncomment: skip,
      ondeclaration: skip,
      onprocessinginstruction: skip,
      onend: () => undefined,
    };
  }

  #take(start: number, end: number): string {
    this.#reported = end;
    return this.#buffer.slice(Math.max(0, start - this.#bufferStart), Math.max(0, end - this.#bufferStart));
  }

  /** Returns the character of a reference. An invalid reference is left as written. */
  #decoded(code: number, end: number): string {
    const start = this.#bufferStart + this.#buffer.lastIndexOf('&', end - this.#bufferStart - 1);
    const written = this.#take(start, end);
    return code === REPLACEMENT_CHARACTER ? written : String.fromCodePoint(code);
  }

  #startTag(name: string): void {
    this.#name = elementName(name);
    this.#attributes = new Map();
  }

  #startAttribute(name: string): void {
    this.#attribute = name.toLowerCase();
    this.#value = '';
  }

  #extendAttribute(text: string): void {
    if (this.#value.length < MAX_TOKEN_LENGTH) this.#value += text;
  }

  #endAttribute(): void {
    if (this.#attributes.size < MAX_ATTRIBUTES) this.#attributes.set(this.#attribute, this.#value);
  }

  #endTag(isEmpty: boolean): void {
    this.#handler.open({ name: this.#name, attributes: this.#attributes, isEmpty });
  }
}

/** Returns an element's name, without a stray "<" right before the tag. */
const elementName = (written: string): string => written.slice(written.lastIndexOf('<') + 1).toLowerCase();
