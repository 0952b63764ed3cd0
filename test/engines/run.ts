/*
 * npm run test:engines: starts the engines whose URL is not set (OPENSEARCH_URL, SQS_URL, S3_URL, DYNAMODB_URL), runs
 * the tests that need one, or those named as arguments, and stops the engines.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setAwsEnvironment } from './aws-environment.ts';
import { MissingError } from './engine-folder.ts';
import type { RunningEngine } from './engine-process.ts';
import { engines } from './engines.ts';

const JEST = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules', '--conditions=local'];
/** End-to-end tests that also run on OpenSearch. */
const END_TO_END = ['crawl', 'politeness', 'kill', 'start-demo'];
const TESTS = [
  'test/adapters/aws',
  'test/engines',
  'test/crawl',
  'test/api/delete-pages.test.ts',
  ...END_TO_END.map((name) => `test/e2e/${name}.test.ts`),
];
/** A failed test may leave a handle open, for which Jest would wait forever. */
const MAX_RUN_MS = 15 * 60_000;

async function startAll(): Promise<readonly RunningEngine[]> {
  const missing = Object.values(engines).filter(({ variable }) => !process.env[variable]);
  const attempts = await Promise.allSettled(missing.map(({ start }) => start()));
  const failed = attempts.find((attempt) => attempt.status === 'rejected');
  const running = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  if (failed !== undefined) {
    await stopAll(running);
    throw failed.reason;
  }
  setAwsEnvironment(Object.fromEntries(running.map(({ url }, i) => [missing[i]?.variable, url])));
  return running;
}

async function stopAll(running: readonly RunningEngine[]): Promise<void> {
  await Promise.all(running.map(({ stop }) => stop()));
}

function startTests(): ChildProcess {
  const [, , ...named] = process.argv;
  const jest = [...JEST, 'node_modules/jest/bin/jest.js', ...(named.length > 0 ? named : TESTS)];
  return spawn(process.execPath, jest, { stdio: 'inherit', timeout: MAX_RUN_MS, killSignal: 'SIGKILL' });
}

async function run(): Promise<number> {
  const running = await startAll();
  const tests = startTests();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => tests.kill(signal));
  const death = Promise.race(running.map(({ died }) => died));
  void death.then(({ message }) => console.error(message));
  const [code] = await once(tests, 'exit');
  await stopAll(running);
  return code ?? 1;
}

try {
  process.exit(await run());
} catch (error) {
  console.error(error instanceof MissingError ? error.message : error);
  process.exit(1);
}
