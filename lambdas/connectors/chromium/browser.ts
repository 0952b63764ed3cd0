import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser as Connection } from 'puppeteer-core';
import { type BrowserFlags, browserFlags } from './browser-flags.ts';
import { findBrowser } from './browser-path.ts';
import { watchMemory } from './memory-watch.ts';
import { scratchFolder } from './scratch-folder.ts';

const START_TIMEOUT_MS = 20_000;
/** Prevents core dumps, which have 300 MB. `exec` replaces the shell by the browser. */
const WITHOUT_CORE_DUMPS = 'ulimit -c 0; exec "$0" "$@"';

/** A running browser. */
export type Browser = {
  readonly connection: Connection;
  /**
   * Whether the sandbox is on. Without it, a page that exploits a fault of the browser has the rights of this process.
   */
  readonly hasSandbox: boolean;
  /** Resolves when the browser has ended, whatever the reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

export type BrowserOptions = Omit<BrowserFlags, 'hasSandbox'> & {
  /** The value of `CHROMIUM_PATH`. */
  readonly path: string | undefined;
  readonly isFunction: boolean;
  /** With `required`, a browser that cannot have its sandbox does not start. */
  readonly sandbox: 'auto' | 'required';
  /** The limit of memory for the process of a page, in megabytes. */
  readonly megabytesOfPage: number;
};

/** Starts a browser. Throws an error whose message is a sentence for people. */
export async function startBrowser(options: BrowserOptions): Promise<Browser> {
  const { path, env } = await findBrowser(options.path);
  const folder = await scratchFolder();
  const start = (hasSandbox: boolean) =>
    puppeteer.launch({
      executablePath: '/bin/sh',
      ignoreDefaultArgs: true,
      args: [
        '-c',
        WITHOUT_CORE_DUMPS,
        path,
        ...browserFlags({ ...options, hasSandbox }),
        `--user-data-dir=${join(folder, 'profile')}`,
      ],
      env: { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: folder, ...env },
      pipe: true,
      timeout: START_TIMEOUT_MS,
      waitForInitialPage: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      defaultViewport: { width: 1280, height: 1600 },
    });
  try {
    // Root and Lambda functions cannot have a sandbox, and some systems deny it to other users.
    const cannot = options.isFunction || process.getuid?.() === 0;
    const withSandbox = cannot ? undefined : await start(true).catch(() => undefined);
    if (!withSandbox && options.sandbox === 'required') throw new NoSandboxError(path);
    const connection = withSandbox ?? (await start(false));
    return running(connection, withSandbox !== undefined, { folder, megabytesOfPage: options.megabytesOfPage });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (error instanceof NoSandboxError) throw error;
    const message = `${path} does not start (${firstLine(error)}). Name another browser by CHROMIUM_PATH`;
    throw new Error(message, { cause: error });
  }
}

const firstLine = (error: unknown): string => String(error).split('\n', 1)[0] ?? '';

class NoSandboxError extends Error {
  constructor(path: string) {
    super(`${path} does not start with its sandbox, which CHROMIUM_SANDBOX requires`);
  }
}

function running(
  connection: Connection,
  hasSandbox: boolean,
  { folder, megabytesOfPage }: { readonly folder: string; readonly megabytesOfPage: number },
): Browser {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stopWatching = watchMemory(connection, megabytesOfPage);
  connection.once('disconnected', () => {
    stopWatching();
    resolve();
  });
  return {
    connection,
    hasSandbox,
    ended,
    close: async () => {
      connection.process()?.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
