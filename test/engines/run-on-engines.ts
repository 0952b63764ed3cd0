import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { JEST } from '../jest.ts';
import { setAwsEnvironment } from './aws-environment.ts';
import { MissingError } from './engine-folder.ts';
import type { RunningEngine } from './engine-process.ts';
import { engines } from './engines.ts';

/** A failed test may leave a handle open, for which Jest would wait forever. */
const MAX_RUN_MS = 15 * 60_000;

/** Starts the engines whose URL is not set, runs test files on them and stops them. Ends this process. */
export async function runOnEngines(tests: readonly string[]): Promise<never> {
  try {
    process.exit(await run(tests));
  } catch (error) {
    console.error(error instanceof MissingError ? error.message : error);
    process.exit(1);
  }
}

async function run(tests: readonly string[]): Promise<number> {
  const running = await startAll();
  const jest = startJest(tests);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => jest.kill(signal));
  const death = Promise.race(running.map(({ died }) => died));
  void death.then(({ message }) => console.error(message));
  const [code] = await once(jest, 'exit');
  await stopAll(running);
  return code ?? 1;
}

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

function startJest(tests: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...JEST, ...tests], { stdio: 'inherit', timeout: MAX_RUN_MS, killSignal: 'SIGKILL' });
}
