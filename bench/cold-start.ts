import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ASSETS, buildBundle } from '../lib/bundle.ts';
import { type Entry, entries } from '../lib/entries.ts';

/*
 * Measures each function as it is deployed: the size of its code in kB and its parts, and the median time in which a
 * fresh process imports it, by the wall clock and of the processor. The goal is 350 kB and 100 ms for functions that
 * use only the table, and 480 kB and 120 ms for a search. The first row is the time of the Node modules that every AWS
 * client needs.
 *
 *     npm run bench -- cold-start --runs 20 --only search-site,list-pages
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' }, only: { type: 'string' } } });

/** The fewest bytes of a part that is named. */
const SMALLEST_NAMED = 8000;

/** Adapters need these variables to start; nothing connects to them. */
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  TABLE_NAME: 'table',
  PAGES_BUCKET: 'pages',
  QUEUE_URL_PREFIX: 'http://127.0.0.1:9/queue-',
  OPENSEARCH_URL: 'http://127.0.0.1:9',
  EDGE_LOGS_BUCKET: 'logs',
  SCHEDULE_GROUP: 'group',
  SCHEDULE_ROLE_ARN: 'arn:aws:iam::1:role/schedule',
  STARTS_QUEUE_ARN: 'arn:aws:sqs:us-east-1:1:starts',
};

const BASE = "data:text/javascript,import 'node:https'; import 'node:crypto'; import 'node:stream';";

const bundle = buildBundle();
const folder = mkdtempSync(join(tmpdir(), 'site-search-bundle-'));

const urlOf = (entry: string): string => pathToFileURL(join(folder, 'lambdas', `${entry}.mjs`)).href;

type Times = { readonly wall: number; readonly processor: number };

function importTimes(url: string): Times {
  const script = `
    globalThis.awslambda = { streamifyResponse: (handler) => handler }; // which Lambda's runtime provides
    const before = process.cpuUsage(), start = performance.now();
    await import(${JSON.stringify(url)});
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ wall: performance.now() - start, processor: (user + system) / 1000 }));
    process.exit()`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: ENVIRONMENT,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`${url} cannot be imported: ${stderr.slice(-500)}`);
  return JSON.parse(stdout);
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? NaN;

const wanted = entries.filter((entry) => values.only?.split(',').some((name) => entry.endsWith(`/${name}`)) ?? true);
const kilobytes = (bytes: number): number => Math.round(bytes / 1000);

function mapOf(entry: Entry): string {
  const parts = [...bundle.partsAtStart(entry)].filter(([, bytes]) => bytes >= SMALLEST_NAMED);
  return parts
    .sort(([, a], [, b]) => b - a)
    .map(([part, bytes]) => `${part} ${kilobytes(bytes)}`)
    .join(', ');
}

function timesOf(all: readonly Times[]): string {
  const middle = (of: keyof Times) => Math.round(median(all.map((times) => times[of])));
  return `${middle('wall')} | ${middle('processor')}`;
}

try {
  for (const asset of ASSETS) bundle.writeTo(folder, asset);
  const base: Times[] = [];
  const times = new Map(wanted.map((entry) => [entry, [] as Times[]]));
  // Measures in rounds, so that a busy minute of the machine affects all functions equally.
  for (let run = 0; run < Number(values.runs); run++) {
    base.push(importTimes(BASE));
    for (const [entry, all] of times) all.push(importTimes(urlOf(entry)));
  }
  console.log(`${cpus().length} processors, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(
    `| function | kB | ms (median of ${values.runs}) | processor ms | of which, in kB |\n|---|---:|---:|---:|---|`,
  );
  console.log(`| none, only Node's modules | 0 | ${timesOf(base)} | |`);
  for (const [entry, all] of times)
    console.log(`| ${entry} | ${kilobytes(bundle.bytesAtStart(entry))} | ${timesOf(all)} | ${mapOf(entry)} |`);
} finally {
  rmSync(folder, { recursive: true });
}
