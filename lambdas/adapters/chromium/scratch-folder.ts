import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Profiles and temporary files of a browser; the number is that of the process that started it. */
const PREFIX = 'site-search-browser-';
/** What a browser leaves in /tmp of a function when it crashes. */
const LEFT_IN_FUNCTION = /^core[.\d]|^core$|^\.?(?:org\.chromium|com\.google)\.|^puppeteer_/;
/** A profile takes 30 MB; a page that fills its storage may take more. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;

/** A folder for one browser. Throws if the disk is nearly full. */
export async function scratchFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(tmpdir());
  const free = bavail * bsize;
  if (free < LEAST_FREE_BYTES)
    throw new Error(`${tmpdir()} has ${Math.floor(free / 1024 / 1024)} MB free, and a browser needs 200 MB`);
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes what browsers have left whose service has ended. A function has /tmp for itself, so all remains go there. */
export async function sweepScratch({ isFunction }: { readonly isFunction: boolean }): Promise<void> {
  const names = await readdir(tmpdir());
  const left = names.filter((name) => isAbandoned(name) || (isFunction && LEFT_IN_FUNCTION.test(name)));
  await Promise.allSettled(left.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
}

function isAbandoned(name: string): boolean {
  if (!name.startsWith(PREFIX)) return false;
  const pid = Number(name.slice(PREFIX.length).split('-', 1)[0]);
  return pid > 0 && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
