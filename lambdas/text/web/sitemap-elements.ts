import { MAX_URL_LENGTH } from './url.ts';
import type { XmlHandler, XmlTag } from './xml-reader.ts';

/**
 * Converts tags to entries: knows which elements of sitemaps and feeds contain addresses. `SitemapReader` normalises
 * these.
 */

/** An entry before normalisation; its URL may be relative. */
export type WrittenEntry = { readonly kind: 'page' | 'sitemap'; readonly address: string };

type Vocabulary = { readonly kind: WrittenEntry['kind']; readonly addresses: readonly string[] };

/** Elements of entries in sitemaps, indexes, RSS and Atom, with the elements of their addresses, best first. */
const ENTRIES: ReadonlyMap<string, Vocabulary> = new Map([
  ['url', { kind: 'page', addresses: ['loc'] }],
  ['sitemap', { kind: 'sitemap', addresses: ['loc'] }],
  ['item', { kind: 'page', addresses: ['link', 'guid'] }],
  ['entry', { kind: 'page', addresses: ['link'] }],
]);

/** Maximum length of an address with the white space around it, in characters. */
const MAX_TEXT = 6 * MAX_URL_LENGTH;

type OpenEntry = {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  /** Number of open elements inside the entry. */
  depth: number;
  readonly addresses: Map<string, string>;
};
type OpenAddress = { readonly name: string; text: string };

/** Collects the entries from the tags and text of a sitemap or feed. An HTML page has none. */
export class ElementReader implements XmlHandler {
  readonly #found: (entry: WrittenEntry) => void;
  #entry: OpenEntry | undefined;
  #address: OpenAddress | undefined;
  #hasRoot = false;
  #isHtml = false;

  constructor(found: (entry: WrittenEntry) => void) {
    this.#found = found;
  }

  get isHtml(): boolean {
    return this.#isHtml;
  }

  open(tag: XmlTag): void {
    this.#endAddress();
    this.#isHtml ||= !this.#hasRoot && tag.name === 'html';
    this.#hasRoot = true;
    if (this.#isHtml) return;
    const entry = this.#entry;
    if (!entry || entry.name === tag.name) {
      this.#endEntry();
      this.#openEntry(tag);
      return;
    }
    if (entry.depth === 0) this.#openAddress(tag, entry);
    if (!tag.isEmpty) entry.depth += 1;
  }

  text(text: string): void {
    if (this.#address && this.#address.text.length <= MAX_TEXT) this.#address.text += text;
  }

  close(name: string): void {
    this.#endAddress();
    const entry = this.#entry;
    if (entry?.name === name) this.#endEntry();
    else if (entry) entry.depth = Math.max(0, entry.depth - 1);
  }

  /** Ends the file. The last entry counts if its address is complete. */
  end(): void {
    this.#address = undefined;
    this.#endEntry();
  }

  #openEntry({ name, isEmpty }: XmlTag): void {
    const vocabulary = ENTRIES.get(localName(name));
    if (vocabulary && !isEmpty) this.#entry = { name, vocabulary, depth: 0, addresses: new Map() };
  }

  /**
   * Opens an address. A `loc` counts with the prefix of its entry or without one; with another prefix it belongs to an
   * image or a video.
   */
  #openAddress({ name, attributes, isEmpty }: XmlTag, entry: OpenEntry): void {
    const local = localName(name);
    const isForeign = name !== local && prefixOf(name) !== prefixOf(entry.name);
    if (isForeign || !entry.vocabulary.addresses.includes(local)) return;
    const href = attributes.get('href');
    if (local === 'link' && href !== undefined) {
      if ((attributes.get('rel') ?? 'alternate') === 'alternate') setOnce(entry, local, href);
    } else if (!isEmpty && attributes.get('ispermalink') !== 'false') this.#address = { name: local, text: '' };
  }

  #endAddress(): void {
    if (this.#address && this.#entry) setOnce(this.#entry, this.#address.name, this.#address.text);
    this.#address = undefined;
  }

  #endEntry(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (!entry) return;
    const { kind, addresses } = entry.vocabulary;
    const address = addresses.map((name) => entry.addresses.get(name)).find((value) => value !== undefined);
    if (address !== undefined && address.length <= MAX_URL_LENGTH) this.#found({ kind, address });
  }
}

/** Sets an address. The first one of an entry counts. */
function setOnce({ addresses }: OpenEntry, name: string, written: string): void {
  const text = written.slice(0, MAX_TEXT).trim();
  if (text !== '' && !addresses.has(name)) addresses.set(name, text);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));
