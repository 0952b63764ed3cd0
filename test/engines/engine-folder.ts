import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Jdk } from './jdk.ts';

const RECIPES = fileURLToPath(new URL('recipes', import.meta.url));
const ASIDE = 'aside-';
const LONGEST_FILL_MS = 3_600_000;

const run = promisify(execFile);

/** What the machine lacks, told in a sentence. */
export class MissingError extends Error {}

/** One at a time: Maven's store is not made for several at once. */
let lastFill: Promise<unknown> = Promise.resolve();

/**
 * The folder outside of the repository that has what an engine needs to run: its recipe, and `lib` with its jars. It is named
 * by the hash of the recipe; one that is not there is filled aside and then renamed, so that it is never half full.
 */
export async function engineFolder(name: string, jdk: Jdk): Promise<string> {
  const recipe = join(RECIPES, name);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'site-search', 'engines');
  const folder = join(cache, `${name}-${hashOf(recipe)}`);
  if (existsSync(folder)) return folder;
  const fill = async () => {
    console.error(`Fetching ${name} into ${folder}`);
    mkdirSync(cache, { recursive: true });
    removeLeftOvers(cache);
    const aside = mkdtempSync(join(cache, ASIDE));
    try {
      cpSync(recipe, aside, { recursive: true });
      await fetchJars(aside);
      await compile(aside, jdk);
      rename(aside, folder);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  };
  const filled = lastFill.then(fill);
  lastFill = filled.catch(() => undefined);
  await filled;
  return folder;
}

function hashOf(recipe: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(recipe).toSorted()) hash.update(`${file}\0`).update(readFileSync(join(recipe, file)));
  return hash.digest('hex').slice(0, 12);
}

/** Of fills that were killed. */
function removeLeftOvers(cache: string): void {
  for (const name of readdirSync(cache).filter((each) => each.startsWith(ASIDE))) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > LONGEST_FILL_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function fetchJars(folder: string): Promise<void> {
  const options = ['-q', '-B', '-ntp', '-f', join(folder, 'pom.xml'), `-Dengine.dir=${folder}`, 'package'];
  await run('mvn', options).catch(({ code, stdout, stderr }) => {
    if (code === 'ENOENT') throw new MissingError('Maven is missing: install it, so that there is a command mvn.');
    throw new Error(`Maven could not fetch the engine:\n${stdout}${stderr}`);
  });
}

/** Java's archive of loaded classes takes jars only, no folders. */
async function compile(folder: string, { home }: Jdk): Promise<void> {
  const sources = readdirSync(folder).filter((file) => file.endsWith('.java'));
  if (sources.length === 0) return;
  const tool = (name: string, ...args: readonly string[]) => run(join(home, 'bin', name), args, { cwd: folder });
  await tool('javac', '--release', '21', '-cp', 'lib/*', '-d', 'classes', ...sources);
  await tool('jar', '--create', '--file', 'lib/launcher.jar', '-C', 'classes', '.');
}

/** Another process may have been faster: its folder is as good. */
function rename(aside: string, folder: string): void {
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
