/*
 * Runs each bench on SQLite, then on OpenSearch, and prints one table with `SQLite / OpenSearch` in each cell.
 *
 *     npm run bench:engines -- latency relevance
 *
 * Uses the OpenSearch at OPENSEARCH_URL, or starts one and stops it at the end.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { engines } from '../test/engines/engines.ts';
import type { Figures } from './figures.ts';

const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning', '--conditions=local'];

for (const bench of process.argv.slice(2)) {
  const onSqlite = await figuresOf(bench, NODE_OPTIONS, { OPENSEARCH_URL: undefined });
  const onOpenSearch = await withOpenSearch((url) =>
    figuresOf(bench, [...NODE_OPTIONS, '--conditions=opensearch'], { OPENSEARCH_URL: url }),
  );
  console.log(`${bench}: SQLite / OpenSearch`);
  console.table(sideBySide(onSqlite, onOpenSearch));
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

async function figuresOf(bench: string, options: readonly string[], env: NodeJS.ProcessEnv): Promise<Figures> {
  const file = new URL(`${bench}.ts`, import.meta.url);
  const child = fork(file, { execArgv: [...options], env: { ...process.env, ...env }, stdio: 'inherit' });
  const messages: Figures[] = [];
  child.on('message', (figures) => messages.push(figures as Figures));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The bench ${bench} failed with exit code ${code}`);
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
