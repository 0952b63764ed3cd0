import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Profiles and temporary files of a browser; the number is that of the process that started it. */
const PREFIX = 'site-search-browser-';
/**
 * What a browser leaves in /tmp of a function when it crashes. A process there may have the number of an earlier one.
 */
const LEFT_IN_FUNCTION = /^core(?:\.|\d|$)|^\.?(?:org\.chromium|com\.google)\.|^puppeteer_|^site-search-browser-/;
/** The unpacked browser has 210 MB, a profile 30; a page that fills its storage takes more. */
const LEAST_FREE_MB = 250;

/** A folder for one browser. Throws if the disk is nearly full. */
export async function scratchFolder(parent = tmpdir()): Promise<string> {
  const { bavail, bsize } = await statfs(parent);
  const free = Math.floor((bavail * bsize) / 1024 / 1024);
  if (free < LEAST_FREE_MB) throw new Error(`${parent} has ${free} MB free, and a browser needs ${LEAST_FREE_MB} MB`);
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
}

/** Removes what browsers have left whose service has ended. A function has /tmp for itself, so all remains go there. */
export async function sweepScratch({ isFunction }: { readonly isFunction: boolean }, parent = tmpdir()): Promise<void> {
  const names = await readdir(parent);
  const left = names.filter((name) => isAbandoned(name) || (isFunction && LEFT_IN_FUNCTION.test(name)));
  await Promise.allSettled(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
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
