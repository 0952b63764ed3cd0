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
const TEMPORARY = 'aside-';
const MAX_FILL_MS = 3_600_000;

const run = promisify(execFile);

export class MissingError extends Error {}

/** Properties of Maven that replace those of the recipe. */
type Properties = Readonly<Record<string, string>>;

/** Engines are fetched one after the other, because Maven's repository allows no concurrent writers. */
let lastFill: Promise<unknown> = Promise.resolve();

/**
 * The cache folder of an engine, with its recipe and its jars in `lib`, named by the hash of the recipe. A missing
 * folder is filled under a temporary name and then renamed, so that it is always complete.
 */
export async function engineFolder(name: string, jdk: Jdk, properties: Properties = {}): Promise<string> {
  const recipe = join(RECIPES, name);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'site-search', 'engines');
  const folder = join(cache, `${name}-${hashOf(recipe, properties)}`);
  if (existsSync(folder)) return folder;
  const fill = async () => {
    console.error(`Fetching ${name} into ${folder}`);
    mkdirSync(cache, { recursive: true });
    removeAbandoned(cache);
    const temporary = mkdtempSync(join(cache, TEMPORARY));
    try {
      cpSync(recipe, temporary, { recursive: true });
      await fetchJars(temporary, properties);
      await compile(temporary, jdk);
      rename(temporary, folder);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  };
  const filled = lastFill.then(fill);
  lastFill = filled.catch(() => undefined);
  await filled;
  return folder;
}

function hashOf(recipe: string, properties: Properties): string {
  const hash = createHash('sha256').update(JSON.stringify(properties));
  for (const file of readdirSync(recipe).toSorted()) hash.update(`${file}\0`).update(readFileSync(join(recipe, file)));
  return hash.digest('hex').slice(0, 12);
}

function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache).filter((each) => each.startsWith(TEMPORARY))) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > MAX_FILL_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function fetchJars(folder: string, properties: Properties): Promise<void> {
  const defined = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
  const options = ['-q', '-B', '-ntp', '-f', join(folder, 'pom.xml'), `-Dengine.dir=${folder}`, ...defined, 'package'];
  await run('mvn', options).catch(({ code, stdout, stderr }) => {
    if (code === 'ENOENT') throw new MissingError('Maven is missing. Install it, so that the command mvn exists.');
    throw new Error(`Maven could not fetch the engine:\n${stdout}${stderr}`);
  });
}

/** Makes a jar, because Java's class data archive does not support class folders. */
async function compile(folder: string, { home }: Jdk): Promise<void> {
  const sources = readdirSync(folder).filter((file) => file.endsWith('.java'));
  if (sources.length === 0) return;
  const tool = (name: string, ...args: readonly string[]) => run(join(home, 'bin', name), args, { cwd: folder });
  await tool('javac', '--release', '21', '-cp', 'lib/*', '-d', 'classes', ...sources);
  await tool('jar', '--create', '--file', 'lib/launcher.jar', '-C', 'classes', '.');
}

/** Another process may have filled the folder with the same content. */
function rename(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
