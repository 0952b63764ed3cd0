import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ASSETS, buildBundle, entries } from '../lib/bundle.ts';

/*
 * For each function as it is deployed: its code in kB, and the median time in which a fresh process imports it. The
 * goal for functions that use only the table is 350 kB and 100 ms. The first row is the time of the Node modules that
 * every AWS client needs.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });

/** Adapters need these variables to start; nothing connects to them. */
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  TABLE_NAME: 'table',
  PAGES_BUCKET: 'pages',
  QUEUE_URL_PREFIX: 'http://127.0.0.1:9/queue-',
  OPENSEARCH_URL: 'http://127.0.0.1:9',
};

const BASE = "data:text/javascript,import 'node:https'; import 'node:crypto'; import 'node:stream';";

const bundle = buildBundle();
const folder = mkdtempSync(join(tmpdir(), 'site-search-bundle-'));

const urlOf = (entry: string): string => pathToFileURL(join(folder, 'lambdas', `${entry}.mjs`)).href;

function importMs(url: string): number {
  const script = `
    const start = performance.now();
    await import(${JSON.stringify(url)});
    console.log(performance.now() - start);
    process.exit()`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: ENVIRONMENT,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`${url} cannot be imported: ${stderr}`);
  return Number(stdout);
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? NaN;

try {
  for (const asset of ASSETS) bundle.writeTo(folder, asset);
  const base: number[] = [];
  const times = new Map(entries.map((entry) => [entry, [] as number[]]));
  // In rounds, so that a busy minute of the machine affects all functions alike.
  for (let run = 0; run < Number(values.runs); run++) {
    base.push(importMs(BASE));
    for (const [entry, ms] of times) ms.push(importMs(urlOf(entry)));
  }
  console.log(`${cpus().length} processors, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(`| function | uses | kB | ms to import (median of ${values.runs}) |\n|---|---|---:|---:|`);
  console.log(`| none, only Node's modules | | 0 | ${Math.round(median(base))} |`);
  for (const [entry, ms] of times) {
    const kilobytes = Math.round(bundle.bytesAtStart(entry) / 1000);
    console.log(`| ${entry} | ${bundle.portsOf(entry).join(', ')} | ${kilobytes} | ${Math.round(median(ms))} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
