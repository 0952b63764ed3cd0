/*
 * Runs benches on SQLite and on OpenSearch, one after the other, and prints one table of each: `SQLite / OpenSearch` in every cell.
 *
 *     npm run bench:engines -- latency relevance
 *
 * OPENSEARCH_URL names an OpenSearch that runs already; else one is started for as long as it takes.
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
  const { OPENSEARCH_URL: named } = process.env;
  if (named !== undefined) return task(named);
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
  const told: Figures[] = [];
  child.on('message', (figures) => told.push(figures as Figures));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${bench} ended with ${code}`);
  return Object.assign({}, ...told);
}

function sideBySide(one: Figures, other: Figures): Record<string, Record<string, string>> {
  const rows = new Set([...Object.keys(one), ...Object.keys(other)]);
  const cells = (row: string) =>
    [...new Set([...Object.keys(one[row] ?? {}), ...Object.keys(other[row] ?? {})])].map((figure) => {
      return [figure, `${one[row]?.[figure] ?? '-'} / ${other[row]?.[figure] ?? '-'}`] as const;
    });
  return Object.fromEntries([...rows].map((row) => [row, Object.fromEntries(cells(row))]));
}
