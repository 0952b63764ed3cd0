import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractHtml } from '../../lambdas/text/extraction/extract-html.ts';
import { plainText } from '../../lambdas/text/page-content.ts';
import { decodeBody } from '../../lambdas/text/web/charset.ts';

const NO_ADDRESS = 'about:blank';

/**
 * Decodes a saved page. Such pages are often converted to UTF-8 while their `meta` still declares the original charset.
 */
const decoded = (page: Buffer): string => (isUtf8(page) ? page.toString('utf8') : decodeBody(page, undefined));

/** Returns what a crawl would read from an HTML page, as one object for a line of JSON. */
export function extractedLine(page: Buffer): object {
  const content = extractHtml(decoded(page), NO_ADDRESS);
  const { title, publishedAt = null, language = null, tags, description = null } = content;
  return { title, text: plainText(content), publishedAt, language, tags, description };
}

/** Reads each HTML file of a folder in the same way, by name. The object of an unreadable file has an error instead. */
export function* extractFolder(folder: string): Generator<object> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.html'));
  for (const file of files.sort()) {
    try {
      yield { file, ...extractedLine(readFileSync(join(folder, file))) };
    } catch (error) {
      yield { file, error: error instanceof Error ? error.message : String(error) };
    }
  }
}
