import type { MarkupToken } from './sitemap-markup.ts';

/** An entry as it is written: a URL, whole or relative, and a date. */
export type WrittenEntry = { readonly kind: 'page' | 'sitemap'; readonly address: string; readonly date?: string };

type Vocabulary = { readonly kind: WrittenEntry['kind']; readonly addresses: readonly string[]; readonly date: string };

/** The elements that hold an entry, and in them the addresses, best first, and the date: sitemaps and their indexes, RSS, Atom. */
const ENTRIES: ReadonlyMap<string, Vocabulary> = new Map([
  ['url', { kind: 'page', addresses: ['loc'], date: 'lastmod' }],
  ['sitemap', { kind: 'sitemap', addresses: ['loc'], date: 'lastmod' }],
  ['item', { kind: 'page', addresses: ['link', 'guid'], date: 'pubdate' }],
  ['entry', { kind: 'page', addresses: ['link'], date: 'updated' }],
]);

const MAX_ADDRESS = 2048;
const MAX_DATE = 64;
/** Beyond, a text is neither: even one that is all escapes. */
const MAX_TEXT = 6 * MAX_ADDRESS;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

type OpenEntry = {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  /** How many elements are open inside. */
  depth: number;
  readonly values: Map<string, string>;
};
type Tag = Extract<MarkupToken, { kind: 'open' }>;
type OpenField = { readonly name: string; text: string };

/** Gathers the entries from the tags and text of a sitemap or feed. What an HTML page holds is none. */
export class ElementReader {
  readonly #found: (entry: WrittenEntry) => void;
  #entry: OpenEntry | undefined;
  #field: OpenField | undefined;
  #hasRoot = false;
  #isHtml = false;

  constructor(found: (entry: WrittenEntry) => void) {
    this.#found = found;
  }

  get isHtml(): boolean {
    return this.#isHtml;
  }

  take(token: MarkupToken): void {
    if (token.kind === 'text') {
      this.#extendField(token);
      return;
    }
    this.#endField();
    if (token.kind === 'close') this.#close(token.name);
    else this.#open(token);
  }

  /** The last entry, if its address is whole. */
  end(): void {
    this.#field = undefined;
    this.#endEntry();
  }

  #open(tag: Tag): void {
    this.#isHtml ||= !this.#hasRoot && tag.name === 'html';
    this.#hasRoot = true;
    if (this.#isHtml) return;
    const entry = this.#entry;
    if (!entry || entry.name === tag.name) {
      const vocabulary = ENTRIES.get(localName(tag.name));
      this.#endEntry();
      if (vocabulary && !tag.isEmpty) this.#entry = { name: tag.name, vocabulary, depth: 0, values: new Map() };
      return;
    }
    if (entry.depth === 0) this.#openField(tag, entry);
    if (!tag.isEmpty) entry.depth += 1;
  }

  /** `loc` with the prefix of its entry or none: another one is of an image or a video. */
  #openField({ name, attributes, isEmpty }: Tag, entry: OpenEntry): void {
    const local = localName(name);
    const isForeign = name !== local && prefixOf(name) !== prefixOf(entry.name);
    const { addresses, date } = entry.vocabulary;
    if (isForeign || !(addresses.includes(local) || local === date)) return;
    const given = attributesOf(attributes);
    const href = given.get('href');
    if (local === 'link' && href !== undefined) {
      if ((given.get('rel') ?? 'alternate') === 'alternate') setOnce(entry, local, href);
    } else if (!isEmpty && given.get('ispermalink') !== 'false') this.#field = { name: local, text: '' };
  }

  /** A literal text is escaped, so that one reading serves both. */
  #extendField({ text, literal }: Extract<MarkupToken, { kind: 'text' }>): void {
    if (!this.#field || this.#field.text.length > MAX_TEXT) return;
    this.#field.text += literal ? text.replaceAll('&', '&amp;') : text;
  }

  #close(name: string): void {
    const entry = this.#entry;
    if (entry?.name === name) this.#endEntry();
    else if (entry) entry.depth = Math.max(0, entry.depth - 1);
  }

  #endField(): void {
    if (this.#field && this.#entry) setOnce(this.#entry, this.#field.name, this.#field.text);
    this.#field = undefined;
  }

  #endEntry(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (!entry) return;
    const { kind, addresses, date: dateName } = entry.vocabulary;
    const address = addresses.map((name) => entry.values.get(name)).find((value) => value !== undefined);
    const date = entry.values.get(dateName);
    if (address === undefined || address.length > MAX_ADDRESS) return;
    this.#found({ kind, address, ...(date !== undefined && date.length <= MAX_DATE && { date }) });
  }
}

/** Of several the first counts. */
function setOnce({ values }: OpenEntry, name: string, written: string): void {
  const text = unescaped(written.slice(0, MAX_TEXT)).trim();
  if (text !== '' && !values.has(name)) values.set(name, text);
}

/** The entities of XML; any other "&" stays, for many sitemaps do not escape theirs. */
function unescaped(text: string): string {
  return text.replace(ENTITY, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE))
    attributes.set(name.toLowerCase(), double ?? single ?? '');
  return attributes;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));
