import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILL_WITH_PARENT = fileURLToPath(new URL('kill-with-parent.sh', import.meta.url));
const START_LIMIT_MS = 120_000;
/** When OpenSearch ends for the first time, it writes its class data archive. */
const STOP_LIMIT_MS = 60_000;
const MAX_LINES = 40;

export type RunningEngine = {
  readonly url: string;
  /** Resolves with its last output if it ends without `stop` or `kill`. */
  readonly died: Promise<Error>;
  stop(): Promise<void>;
  /** SIGKILL: leaves its data as a power cut would. */
  kill(): Promise<void>;
};

/**
 * Runs a server that prints its port when it is ready (first group of `ready`). Without `dataFolder` it gets a
 * temporary one, which `stop()` removes. It also ends when this process ends, even if that is killed.
 */
export async function startEngine(
  name: string,
  command: (dataFolder: string) => readonly string[],
  ready: RegExp,
  dataFolder?: string,
): Promise<RunningEngine> {
  const folder = dataFolder === undefined ? temporaryFolder() : undefined;
  const child = spawn('sh', [KILL_WITH_PARENT, folder?.path ?? '', ...command(dataFolder ?? folder?.path ?? '')]);
  const ended = once(child, 'close');
  const lines = new LastLines();
  const started = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr]) {
    lines.follow(output, (line) => {
      const port = ready.exec(line)?.[1];
      if (port !== undefined) started.resolve(port);
    });
  }
  const died = Promise.withResolvers<Error>();
  child.on('close', onUnexpectedEnd);
  function onUnexpectedEnd(): void {
    const error = new Error(`${name} ended unexpectedly (${ending(child)}). Its last output:\n${lines.text()}`);
    died.resolve(error);
    started.reject(error);
  }
  const timer = setTimeout(
    () => started.reject(new Error(`${name} did not start in time. Its last output:\n${lines.text()}`)),
    START_LIMIT_MS,
  );

  const kill = async (): Promise<void> => {
    child.off('close', onUnexpectedEnd);
    child.kill('SIGKILL');
    await ended;
  };
  const stop = async (): Promise<void> => {
    child.off('close', onUnexpectedEnd);
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(killer);
    child.stdin.destroy();
    folder?.remove();
  };
  try {
    return { url: `http://127.0.0.1:${await started.promise}`, died: died.promise, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const ending = ({ exitCode, signalCode }: ChildProcess): string => signalCode ?? `code ${exitCode}`;

class LastLines {
  readonly #lines: string[] = [];

  follow(output: Readable, each: (line: string) => void): void {
    createInterface(output).on('line', (line) => {
      this.#lines.push(line);
      if (this.#lines.length > MAX_LINES) this.#lines.shift();
      each(line);
    });
  }

  text(): string {
    return this.#lines.join('\n');
  }
}
