import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { extractHtml } from '../lambdas/core/content/extract-html.ts';
import { plainText } from '../lambdas/core/content/page-content.ts';

const USAGE =
  'usage: npm run --silent extract -- [PAGE.html | --batch DIR] (a page is read from standard input otherwise)';
const NO_ADDRESS = 'about:blank';

function extractLine(html: string): Record<string, unknown> {
  const content = extractHtml(html, NO_ADDRESS);
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
      print({ file, ...extractLine(readFileSync(join(directory, file), 'utf8')) });
    } catch (error) {
      print({ file, error: error instanceof Error ? error.message : String(error) });
    }
  }
}

function main(): void {
  const { values, positionals } = parseArgs({ options: { batch: { type: 'string' } }, allowPositionals: true });
  if (positionals.length > (values.batch === undefined ? 1 : 0)) throw new Error(USAGE);
  if (values.batch !== undefined) extractBatch(values.batch);
  else print(extractLine(readFileSync(positionals[0] ?? process.stdin.fd, 'utf8')));
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
