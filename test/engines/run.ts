/*
 * npm run test:engines: starts the engines whose URL is not set (OPENSEARCH_URL, SQS_URL, S3_URL, DYNAMODB_URL), runs
 * the tests that need one, or those named as arguments, and stops the engines.
 */
import { runOnEngines } from './run-on-engines.ts';

/** Crawls whose outcome depends on the index. The others run on SQLite alone. */
const CRAWLS = ['changed-base-url', 'duplicates', 'filled-fields', 'gone-pages', 'recrawl', 'repeated-crawls'];
const END_TO_END = ['crawl', 'kill', 'start-demo'];
const TESTS = [
  'test/adapters/aws',
  'test/engines',
  'test/api/delete-pages.test.ts',
  ...CRAWLS.map((name) => `test/crawl/${name}.test.ts`),
  ...END_TO_END.map((name) => `test/e2e/${name}.test.ts`),
];

const named = process.argv.slice(2);
await runOnEngines(named.length > 0 ? named : TESTS);
