import { isEmptyShell } from '../../../text/extraction/empty-shell.ts';
import { isHtml } from '../../../text/extraction/extract-page.ts';
import type { FetchedPage, Unreadable } from '../../../text/fetched-page.ts';
import { type PageContent, plainText } from '../../../text/page-content.ts';
import { pathOf } from '../../../text/web/url.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { PageRenderer, RenderResult } from '../../ports/page-renderer.ts';
import type { Key, Table } from '../../ports/table.ts';
import { settingsKey } from '../../sites/site.ts';
import { type CrawlJob, jobKey } from '../jobs/job.ts';
import type { Slice } from '../jobs/slice.ts';

export type OpenRenderer = (job: Pick<CrawlJob, 'privateHost' | 'baseUrl'>) => PageRenderer;

export type ReadAnswer =
  | {
      readonly kind: 'content';
      readonly content: PageContent | Unreadable | undefined;
      /** Set if rendering was wanted; false if the page was read as the server sent it. */
      readonly isRendered?: boolean;
    }
  | { readonly kind: 'redirect'; readonly url: string }
  /** Only a browser could tell the content of the page. */
  | { readonly kind: 'not_rendered' };

type Answer = { readonly page: FetchedPage; readonly headers: Readonly<Record<string, string>> };

/** A page with text in its HTML counts as completed by scripts if the browser shows this many more characters. */
const GAINED_CHARACTERS = 100;
const HTML_UTF8 = 'text/html; charset=utf-8';

/** Returns the content of a page sent as HTML; undefined for another kind of document. */
async function readHtml(page: FetchedPage, pageReader: PageReader): Promise<PageContent | undefined> {
  const read = await pageReader.read(page);
  return typeof read === 'string' ? undefined : read;
}

/** Decides which pages of a slice are rendered, and stores for the site the URL patterns of such pages. */
export class Rendering {
  readonly #isAuto: boolean;
  readonly #renderer: PageRenderer;
  #patterns: Set<string> = new Set();
  #hasLearned = false;
  #fault: string | undefined;

  private constructor(isAuto: boolean, renderer: PageRenderer) {
    this.#isAuto = isAuto;
    this.#renderer = renderer;
  }

  /** Returns undefined if the job reads its pages without a browser. */
  static of(job: CrawlJob, openRenderer: OpenRenderer): Rendering | undefined {
    const { javascriptEnabled } = job.config;
    return javascriptEnabled === false ? undefined : new Rendering(javascriptEnabled === 'auto', openRenderer(job));
  }

  /** Reads the URL patterns that earlier slices and crawls have learned. */
  async load({ siteId }: CrawlJob, table: Table): Promise<void> {
    if (this.#isAuto) this.#patterns = new Set(await readPatterns(siteId, table));
  }

  /**
   * Returns whether a page must be rendered. Such a page is requested unconditionally, because its content may change
   * while its HTML does not.
   */
  isWanted(url: string): boolean {
    return !this.#isAuto || this.#patterns.has(urlPattern(url));
  }

  async read(
    { page, headers }: Answer,
    stored: RegisteredPage | undefined,
    pageReader: PageReader,
  ): Promise<ReadAnswer> {
    if (!isHtml(page)) return { kind: 'content', content: await pageReader.read(page) };
    const sent = this.#isAuto ? await readHtml(page, pageReader) : undefined;
    const isShell = sent !== undefined && isEmptyShell(sent, page.body);
    if (sent && !isShell && !this.isWanted(page.url)) return { kind: 'content', content: sent };
    const result = await this.#renderer.render({ url: page.url, headers, body: page.body });
    if (result.kind === 'redirect') return result;
    if (result.kind === 'failure') {
      const content = sent ?? (await readHtml(page, pageReader));
      return this.#unrendered(result, content, { body: page.body, stored });
    }
    const body = Buffer.from(result.html);
    const content = await readHtml({ ...page, url: result.url, contentType: HTML_UTF8, body }, pageReader);
    if (sent && content) this.#learn(page.url, { sent, content, isShell });
    return { kind: 'content', content, isRendered: true };
  }

  /** Returns the server's HTML, unless it would replace content shown by a browser or has no text. */
  #unrendered(
    { reason, detail }: RenderResult & { readonly kind: 'failure' },
    content: PageContent | undefined,
    { body, stored }: Pick<FetchedPage, 'body'> & { readonly stored: RegisteredPage | undefined },
  ): ReadAnswer {
    const hasBrowser = reason !== 'no_browser';
    if (!hasBrowser) this.#fault = detail;
    const isEmpty = content?.blocks.length === 0 || (hasBrowser && content && isEmptyShell(content, body));
    if (reason === 'aborted' || stored?.rendered || isEmpty) return { kind: 'not_rendered' };
    return { kind: 'content', content, isRendered: false };
  }

  #learn(
    url: string,
    {
      sent,
      content,
      isShell,
    }: { readonly sent: PageContent; readonly content: PageContent; readonly isShell: boolean },
  ): void {
    const gained = plainText(content).length - plainText(sent).length;
    const hasGained = gained > (isShell ? 0 : GAINED_CHARACTERS);
    const pattern = urlPattern(url);
    if (hasGained === this.#patterns.has(pattern) || (!hasGained && isShell)) return;
    this.#hasLearned = true;
    if (hasGained) this.#patterns.add(pattern);
    else this.#patterns.delete(pattern);
  }

  /** Writes the learned patterns, and a warning if there was no browser or no sandbox. */
  async save({ job, table }: Slice): Promise<void> {
    if (this.#hasLearned) await writePatterns(job.siteId, [...this.#patterns], table);
    const without = `javascriptEnabled: pages were read without a browser, because ${this.#fault}`;
    const warning = this.#fault === undefined ? this.#renderer.warning : without;
    if (warning === undefined) return;
    const warnings = [...new Set([...(job.warnings ?? []), warning])];
    await table.update(jobKey(job.jobId), { set: { warnings }, when: { exists: true } });
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }
}

/*
 * The URL patterns of pages whose text comes from scripts: paths with `*` in place of the last name. Concurrent crawls
 * may overwrite each other's patterns, because lost ones are learned again.
 */

const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 300;
const LAST_NAME = /[^/]+(\/?)$/;

const patternsKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'RENDERED' });

/**
 * Returns the pattern of a URL. Pages of one template usually differ in the last name of their path and in the query.
 */
export const urlPattern = (url: string): string => (pathOf(url).split('?', 1)[0] ?? '').replace(LAST_NAME, '*$1');

export async function readPatterns(siteId: string, table: Table): Promise<readonly string[]> {
  return (await table.get<{ patterns: readonly string[] }>(patternsKey(siteId)))?.patterns ?? [];
}

async function writePatterns(siteId: string, patterns: readonly string[], table: Table): Promise<void> {
  const kept = patterns.filter((pattern) => pattern.length <= MAX_PATTERN_LENGTH).slice(-MAX_PATTERNS);
  await table.write([
    { check: settingsKey(siteId), when: { exists: true } }, // a deleted site must not get an item
    { put: { ...patternsKey(siteId), patterns: kept } },
  ]);
}
