import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** What may be a character reference; the sign behind one without a semicolon tells whether it is one in an attribute. */
const REFERENCE = /&[#\w]{1,64}[;=]?/g;
const MAX_KNOWN = 10_000;

/** Decodes character references, remembering those met: a page repeats few of them many times. */
export class Entities {
  readonly #inText = new Map<string, string>();
  readonly #inAttributes = new Map<string, string>();

  decodeText(text: string): string {
    return text.replace(REFERENCE, (reference) => known(this.#inText, reference, reference));
  }

  /** Here `&copy=1` is no reference (HTML 13.2.5.73). */
  decodeAttribute(value: string): string {
    if (!value.includes('&')) return value;
    return value.replace(REFERENCE, (reference) => known(this.#inAttributes, reference, `<a b="${reference}">`));
  }
}

function known(decoded: Map<string, string>, reference: string, source: string): string {
  let text = decoded.get(reference);
  if (text === undefined) {
    text = decode(source);
    if (decoded.size < MAX_KNOWN) decoded.set(reference, text);
  }
  return text;
}

function decode(source: string): string {
  const reader = new Reader(source);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(source);
  tokenizer.end();
  return reader.text;
}

/** Collects a text, or the value of the one attribute that there is. */
class Reader implements TokenizerCallbacks {
  text = '';
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  ontext(start: number, end: number): void {
    this.text += this.#source.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    this.text += String.fromCodePoint(codePoint);
  }

  onattribdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  onattribentity(codePoint: number): void {
    this.ontextentity(codePoint);
  }

  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  onclosetag(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onopentagname(): void {}
  onprocessinginstruction(): void {}
  onselfclosingtag(): void {}
}
