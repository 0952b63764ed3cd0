import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { engines } from '../test/engines/engines.ts';
import type { Figures } from './support/figures.ts';

/*
 * Runs a bench and prints tables: `npm run bench -- NAME [--engines] [ARGUMENT …]`. With `--engines` it measures on
 * SQLite, then on the OpenSearch at OPENSEARCH_URL, or one that it starts, and prints `SQLite / OpenSearch` in each
 * cell.
 */

/** Options of Node, the same as the service's (bin/local.ts). */
const NODE_OPTIONS = ['--import', './local/server/node-options.ts'];
const NAMES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length));

const [name = '', ...rest] = process.argv.slice(2);
const options = rest.filter((argument) => argument !== '--engines');
if (!NAMES.includes(name)) {
  console.error(`Usage: npm run bench -- NAME [--engines] [ARGUMENT …]\nNames: ${NAMES.join(', ')}`);
  process.exitCode = 1;
} else if (options.length < rest.length) {
  const onSqlite = await measured({ OPENSEARCH_URL: undefined });
  const onOpenSearch = await withOpenSearch((url) => measured({ OPENSEARCH_URL: url }));
  console.table(sideBySide(onSqlite, onOpenSearch));
} else {
  await measured({}, (figures) => console.table(figures));
}

async function withOpenSearch<T>(task: (url: string) => Promise<T>): Promise<T> {
  const { OPENSEARCH_URL: runningUrl } = process.env;
  if (runningUrl !== undefined) return task(runningUrl);
  const { url, stop } = await engines.opensearch.start();
  try {
    return await task(url);
  } finally {
    await stop();
  }
}

/** Returns all figures that the bench reports. `onFigures` gets them one after another. */
async function measured(env: NodeJS.ProcessEnv, onFigures?: (figures: Figures) => void): Promise<Figures> {
  const child = fork(new URL(`${name}.ts`, import.meta.url), options, {
    execArgv: NODE_OPTIONS,
    env: { ...process.env, ...env },
  });
  const messages: Figures[] = [];
  child.on('message', (figures: Figures) => {
    messages.push(figures);
    onFigures?.(figures);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The bench ${name} failed with exit code ${code}`);
  return Object.assign({}, ...messages);
}

function sideBySide(left: Figures, right: Figures): Record<string, Record<string, string>> {
  const rows = new Set([...Object.keys(left), ...Object.keys(right)]);
  const cells = (row: string) =>
    [...new Set([...Object.keys(left[row] ?? {}), ...Object.keys(right[row] ?? {})])].map((figure) => {
      return [figure, `${left[row]?.[figure] ?? '-'} / ${right[row]?.[figure] ?? '-'}`] as const;
    });
  return Object.fromEntries([...rows].map((row) => [row, Object.fromEntries(cells(row))]));
}
