import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { extractedLine, extractFolder } from '../local/admin/extract-pages.ts';

const USAGE =
  'usage: npm run --silent extract -- [PAGE.html | --batch DIR] (without arguments: a page from standard input)';

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const { values, positionals } = parseArgs({ options: { batch: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (positionals.length > (values.batch === undefined ? 1 : 0)) throw new Error(USAGE);
  if (values.batch !== undefined) for (const line of extractFolder(values.batch)) print(line);
  else print(extractedLine(file === undefined ? await buffer(process.stdin) : readFileSync(file)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
