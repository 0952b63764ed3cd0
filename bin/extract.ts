import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { extractHtml } from '../lambdas/text/extraction/extract-html.ts';
import { plainText } from '../lambdas/text/page-content.ts';
import { decodeBody } from '../lambdas/text/web/charset.ts';

const USAGE =
  'usage: npm run --silent extract -- [PAGE.html | --batch DIR] (without arguments: a page from standard input)';
const NO_ADDRESS = 'about:blank';

/** Saved pages are often converted to UTF-8 while their `meta` still declares the original charset. */
const decoded = (page: Buffer): string => (isUtf8(page) ? page.toString('utf8') : decodeBody(page, undefined));

function extractLine(page: Buffer): Record<string, unknown> {
  const content = extractHtml(decoded(page), NO_ADDRESS);
  const { title, publishedAt = null, language = null, tags, description = null } = content;
  return { title, text: plainText(content), publishedAt, language, tags, description };
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function extractBatch(directory: string): void {
  const files = readdirSync(directory).filter((name) => name.endsWith('.html'));
  for (const file of files.sort()) {
    try {
      print({ file, ...extractLine(readFileSync(join(directory, file))) });
    } catch (error) {
      print({ file, error: error instanceof Error ? error.message : String(error) });
    }
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { batch: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (positionals.length > (values.batch === undefined ? 1 : 0)) throw new Error(USAGE);
  if (values.batch !== undefined) extractBatch(values.batch);
  else print(extractLine(file === undefined ? await buffer(process.stdin) : readFileSync(file)));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
