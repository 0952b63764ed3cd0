import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser as Connection } from 'puppeteer-core';
import { type BrowserFlags, browserFlags } from './browser-flags.ts';
import { findBrowser } from './browser-path.ts';
import { watchMemory } from './memory-watch.ts';
import { scratchFolder } from './scratch-folder.ts';

const START_TIMEOUT_MS = 20_000;
/** A core dump of the browser has 300 MB. `exec` keeps the shell from being a process between. */
const WITHOUT_CORE_DUMPS = 'ulimit -c 0; exec "$0" "$@"';

/** A running browser. */
export type Browser = {
  readonly connection: Connection;
  /** Resolves when it has ended, whatever the reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

export type BrowserOptions = Omit<BrowserFlags, 'hasSandbox'> & {
  /** `CHROMIUM_PATH` */
  readonly path: string | undefined;
  readonly isFunction: boolean;
  /** Megabytes of memory that the process of a page may take. */
  readonly megabytesOfPage: number;
};

/** Throws an error whose message is a sentence for people. */
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
    // Neither root nor functions can have a sandbox, and not every system allows it to others.
    const cannot = options.isFunction || process.getuid?.() === 0;
    const connection = cannot ? await start(false) : await start(true).catch(() => start(false));
    return running(connection, folder, options.megabytesOfPage);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const message = `${path} does not start (${firstLine(error)}). Name another browser by CHROMIUM_PATH`;
    throw new Error(message, { cause: error });
  }
}

const firstLine = (error: unknown): string => String(error).split('\n', 1)[0] ?? '';

function running(connection: Connection, folder: string, megabytesOfPage: number): Browser {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stopWatching = watchMemory(connection, megabytesOfPage);
  connection.once('disconnected', () => {
    stopWatching();
    resolve();
  });
  return {
    connection,
    ended,
    close: async () => {
      connection.process()?.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
