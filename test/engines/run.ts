/*
 * npm run test:engines: starts the engines whose URL is not set (OPENSEARCH_URL, SQS_URL, S3_URL, DYNAMODB_URL), runs
 * the tests that need one, or those named as arguments, and stops the engines.
 */
import { runOnEngines } from './run-on-engines.ts';

const ADAPTERS = ['edge-logs', 'event-log', 'page-index', 'page-store', 'paged-search', 'queue', 'table'];
/** Crawls whose outcome depends on the index. The others run on SQLite alone. */
const CRAWLS = ['changed-base-url', 'duplicates', 'filled-fields', 'gone-pages', 'recrawl', 'repeated-crawls'];
const END_TO_END = ['crawl', 'start-demo'];
const filesIn = (folder: string, names: readonly string[]) => names.map((name) => `test/${folder}/${name}.test.ts`);
const TESTS = [
  'test/engines',
  'test/api/delete-pages.test.ts',
  ...filesIn('aws', ADAPTERS),
  ...filesIn('crawls', CRAWLS),
  ...filesIn('e2e', END_TO_END),
];

const named = process.argv.slice(2);
await runOnEngines(named.length > 0 ? named : TESTS);
