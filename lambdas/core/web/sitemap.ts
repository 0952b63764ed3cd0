import { TextDecoder } from 'node:util';
import { sitemapEncoding } from './charset.ts';
import { listedUrl } from './listed-url.ts';
import { ElementReader, type WrittenEntry } from './sitemap-elements.ts';
import { MarkupReader } from './sitemap-markup.ts';
import { normaliseUrl } from './url.ts';

export type SitemapEntry = {
  /** A page, or a further sitemap that an index names. */
  readonly kind: 'page' | 'sitemap';
  /** Absolute and in its normal spelling; of any host. */
  readonly url: string;
  /** The date as written, if there is one. */
  readonly lastmod?: string;
};

/** What a file of the sitemaps protocol 0.9 may hold. */
const MOST_ENTRIES = 50_000;
/** Bytes are read in blocks, so that a stream of single bytes costs no more than another. */
const BLOCK_BYTES = 16_384;
const LONGEST_LINE = 8192;

/**
 * The entries of a sitemap or sitemap index, RSS or Atom feed or list of URLs, told apart by what they hold; of an HTML page none.
 * Memory does not grow with the file; what is broken is passed over; how the bytes are cut into parts makes no difference.
 */
export class SitemapReader {
  readonly #url: string;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #elements = new ElementReader((entry) => this.#written(entry));
  readonly #markup = new MarkupReader((token) => this.#elements.take(token));
  #filled = 0;
  #decoder: TextDecoder | undefined;
  /** The start of a line of plain text; undefined once markup has begun. */
  #line: string | undefined = '';
  #entries: SitemapEntry[] = [];
  #count = 0;

  constructor(sitemapUrl: string) {
    this.#url = sitemapUrl;
  }

  /** No more entries will come, whatever the rest of the file is. */
  get isDone(): boolean {
    return this.#count >= MOST_ENTRIES || this.#elements.isHtml;
  }

  /** The entries that became known. */
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

  /** The entries that only the end of the file completes. */
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
    if (this.#line === undefined) this.#markup.write(text);
    else this.#readLines(this.#line + text);
  }

  /** Plain text up to the first "<", which no URL contains. */
  #readLines(text: string): void {
    const markupAt = text.indexOf('<');
    const lines = text.slice(0, markupAt < 0 ? text.length : markupAt).split(/[\r\n]+/);
    const last = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
    // A line that is too long stays no URL, whatever comes after it.
    this.#line = last.length > LONGEST_LINE ? '#' : last;
    if (markupAt < 0) return;
    this.#line = undefined;
    this.#markup.write(text.slice(markupAt));
  }

  #readLine(line: string): void {
    const written = line.trim();
    if (!/\s/.test(written)) this.#add({ kind: 'page', url: listedUrl(written, this.#url) });
  }

  #written({ kind, address, date }: WrittenEntry): void {
    // A copy, for a slice would keep the file's text in memory with it.
    const lastmod = date === undefined ? {} : { lastmod: Buffer.from(date).toString() };
    this.#add({ kind, url: normaliseUrl(address, this.#url), ...lastmod });
  }

  #add({ url, ...entry }: Omit<SitemapEntry, 'url'> & { readonly url: string | undefined }): void {
    if (url === undefined || this.isDone) return;
    this.#count += 1;
    this.#entries.push({ ...entry, url });
  }
}
