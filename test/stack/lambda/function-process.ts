import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FromFunction, Invocation, ToFunction } from './messages.ts';

const BOOTSTRAP = fileURLToPath(new URL('bootstrap.ts', import.meta.url));

export type FunctionCode = {
  readonly folder: string;
  readonly handler: string;
  readonly memoryMegabytes: number;
  readonly timeoutMs: number;
  readonly variables: Readonly<Record<string, string>>;
};

export type ProcessOptions = {
  readonly proxyPort: string;
  readonly onLine: (line: string) => void;
};

/** One sandbox of a function: a process that runs one invocation at a time. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  readonly #code: FunctionCode;
  readonly #ready = Promise.withResolvers<void>();
  #current: { readonly onPart: (part: Uint8Array) => void; readonly end: PromiseWithResolvers<unknown> } | undefined;

  constructor(code: FunctionCode, { proxyPort, onLine }: ProcessOptions) {
    this.#code = code;
    this.#child = fork(BOOTSTRAP, [code.folder, code.handler, proxyPort], {
      cwd: code.folder,
      env: code.variables,
      execArgv: [`--max-old-space-size=${code.memoryMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr])
      if (output) createInterface(output).on('line', onLine);
    this.#child.on('message', (message: FromFunction) => this.#take(message));
    this.#child.on('exit', (exitCode, signal) => this.#fail(new Error(`the process ended (${signal ?? exitCode})`)));
    this.#child.on('error', (error) => this.#fail(error));
    this.#ready.promise.catch(() => undefined);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The invocation is made when the process is ready for it: its time counts from then. */
  async invoke(make: () => Invocation, onPart: (part: Uint8Array) => void): Promise<unknown> {
    await this.#ready.promise;
    const end = Promise.withResolvers<unknown>();
    this.#current = { onPart, end };
    const timer = setTimeout(() => {
      this.#fail(new Error(`timed out after ${this.#code.timeoutMs / 1000} s`));
      this.kill();
    }, this.#code.timeoutMs);
    this.#send({ invoke: make() });
    try {
      return await end.promise;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
    }
  }

  moveClock(clockOffsetMs: number): void {
    if (this.isAlive && this.#child.connected) this.#send({ clockOffsetMs });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ToFunction): void {
    this.#child.send(message, (error) => error && this.#fail(error));
  }

  #take(message: FromFunction): void {
    if ('ready' in message) this.#ready.resolve();
    else if ('part' in message) this.#current?.onPart(message.part);
    else if ('error' in message) this.#current?.end.reject(new Error(message.error));
    else this.#current?.end.resolve(message.result);
  }

  #fail(error: Error): void {
    this.#ready.reject(error);
    this.#current?.end.reject(error);
  }
}
