import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The prefix of a browser's folder for its profile and temporary files. The id of the process that started it follows.
 */
const PREFIX = 'site-search-browser-';
/**
 * Matches what a crashed browser leaves in /tmp of a function. There, process ids may repeat those of earlier
 * processes.
 */
const LEFT_IN_FUNCTION = /^core(?:\.|\d|$)|^\.?(?:org\.chromium|com\.google)\.|^puppeteer_|^site-search-browser-/;
/**
 * The space that a browser needs: 210 MB unpacked and 30 MB for a profile. A page that fills its storage takes more.
 */
const MIN_FREE_MB = 250;

/** Creates a folder for one browser. Throws if the disk is nearly full. */
export async function scratchFolder(parent = tmpdir()): Promise<string> {
  const { bavail, bsize } = await statfs(parent);
  const free = Math.floor((bavail * bsize) / 1024 / 1024);
  if (free < MIN_FREE_MB) throw new Error(`${parent} has ${free} MB free, and a browser needs ${MIN_FREE_MB} MB`);
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
}

/**
 * Removes the folders of browsers whose service has ended. A function has /tmp to itself, so it removes all remains.
 */
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
