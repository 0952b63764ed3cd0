import { TextDecoder } from 'node:util';
import { sitemapEncoding } from './charset.ts';
import { listedUrl } from './listed-url.ts';
import { ElementReader } from './sitemap-elements.ts';
import { normaliseUrl } from './url.ts';
import { XmlReader } from './xml-reader.ts';

/**
 * Converts bytes to entries: decodes, reads plain text itself, and passes markup to `XmlReader` and `ElementReader`.
 */

export type SitemapEntry = {
  /** A page, or another sitemap that an index lists. */
  readonly kind: 'page' | 'sitemap';
  /** Absolute and normalised; of any host. */
  readonly url: string;
};

/** The limit of the sitemaps protocol 0.9 for one file. */
const MAX_ENTRIES = 50_000;
/** Size of the blocks in which bytes are read, so that a stream of single bytes costs no more than another. */
const BLOCK_BYTES = 16_384;
const MAX_LINE_LENGTH = 8192;
/** Replaces a line that is too long: no text after it makes it a URL. */
const OVERLONG_LINE = '#';

/**
 * Reads sitemaps, sitemap indexes, RSS and Atom feeds and lists of URLs, in bounded memory. Broken markup is ignored,
 * and an HTML page has no entries. The result does not depend on how the bytes are split.
 */
export class SitemapReader {
  readonly #url: string;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #elements = new ElementReader(({ kind, address }) => this.#add(kind, normaliseUrl(address, this.#url)));
  readonly #xml = new XmlReader(this.#elements);
  #filled = 0;
  #decoder: TextDecoder | undefined;
  /** The start of a line of plain text; undefined once markup has begun. */
  #line: string | undefined = '';
  #entries: SitemapEntry[] = [];
  #count = 0;

  constructor(sitemapUrl: string) {
    this.#url = sitemapUrl;
  }

  /** Returns whether the rest of the file cannot have more entries. */
  get isDone(): boolean {
    return this.#count >= MAX_ENTRIES || this.#elements.isHtml;
  }

  /** Returns the entries that these bytes completed. */
  write(bytes: Uint8Array): readonly SitemapEntry[] {
    for (let at = 0; at < bytes.length && !this.isDone; ) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === BLOCK_BYTES) this.#readBlock(true);
    }
    return this.#taken();
  }

  /** Returns the entries that only the end of the file completes. */
  end(): readonly SitemapEntry[] {
    this.#readBlock(false);
    if (this.#line !== undefined) this.#readLine(this.#line);
    this.#elements.end();
    return this.#taken();
  }

  #taken(): readonly SitemapEntry[] {
    const taken = this.#entries;
    this.#entries = [];
    return taken;
  }

  #readBlock(stream: boolean): void {
    const bytes = this.#block.subarray(0, this.#filled);
    this.#filled = 0;
    this.#decoder ??= new TextDecoder(sitemapEncoding(bytes));
    const text = this.#decoder.decode(bytes, { stream });
    if (this.#line === undefined) this.#xml.write(text);
    else this.#readLines(this.#line + text);
  }

  /** Reads plain text up to the first "<", which no URL contains. */
  #readLines(text: string): void {
    const markupAt = text.indexOf('<');
    const lines = text.slice(0, markupAt < 0 ? text.length : markupAt).split(/[\r\n]+/);
    const last = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
    this.#line = last.length > MAX_LINE_LENGTH ? OVERLONG_LINE : last;
    if (markupAt < 0) return;
    this.#line = undefined;
    this.#xml.write(text.slice(markupAt));
  }

  #readLine(line: string): void {
    const written = line.trim();
    if (!/\s/.test(written)) this.#add('page', listedUrl(written, this.#url));
  }

  #add(kind: SitemapEntry['kind'], url: string | undefined): void {
    if (url === undefined || this.isDone) return;
    this.#count += 1;
    this.#entries.push({ kind, url });
  }
}
