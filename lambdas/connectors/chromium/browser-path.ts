import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratchFolder } from './scratch-folder.ts';

export type FoundBrowser = {
  readonly path: string;
  /** Environment variables that tell the browser where its fonts and libraries are. */
  readonly env: Readonly<Record<string, string>>;
};

/** The usual paths of an installed browser. */
const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** The paths of a library that the browser needs. Not every Linux has it, but the package brings it. */
const NSS = ['/usr/lib/x86_64-linux-gnu/libnss3.so', '/usr/lib64/libnss3.so', '/usr/lib/libnss3.so'];
const PACKAGE = '@sparticuz/chromium';
const UNPACK_TIMEOUT_MS = 60_000;

/** Finds the browser: the path `named`, else on Linux x64 the browser of the package, else an installed one. */
export async function findBrowser(named: string | undefined): Promise<FoundBrowser> {
  if (named !== undefined) {
    if (existsSync(named)) return { path: named, env: {} };
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist`);
  }
  if (process.platform === 'linux' && process.arch === 'x64') return packagedBrowser();
  const path = USUAL_PATHS.find((usual) => existsSync(usual));
  if (path === undefined) throw new Error('no Chrome or Chromium was found. Install one, or name it by CHROMIUM_PATH');
  return { path, env: {} };
}

async function packagedBrowser(): Promise<FoundBrowser> {
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `site-search-chromium-${packageVersion()}-fonts-${uid}`);
  if (!existsSync(folder)) await unpackTo(folder);
  if ((await lstat(folder)).uid !== uid) throw new Error(`${folder} belongs to another user. Remove it`);
  const hasLibraries = NSS.some((library) => existsSync(library));
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  const env = { FONTCONFIG_PATH: join(folder, 'fonts'), ...(!hasLibraries && libraries) };
  return { path: join(folder, 'chromium'), env };
}

/**
 * Returns a configuration for these fonts, because the package's own names other folders. Without a font, text has no
 * width and pages have no layout.
 */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts/cache</cachedir>
</fontconfig>
`;

/**
 * Returns the version of the package. It is part of the folder's name, so that an update does not use the old browser.
 */
function packageVersion(): string {
  const file = new URL('../package.json', import.meta.resolve(PACKAGE));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/**
 * Unpacks the browser into a folder. The package unpacks into the folder for temporary files and uses what it finds
 * there. So another process unpacks into a new folder, which is renamed once it is complete.
 */
async function unpackTo(folder: string): Promise<void> {
  const part = await scratchFolder();
  try {
    const script = `await (await import(process.argv[1])).default.executablePath()`;
    const args = ['--input-type=module', '--eval', script, import.meta.resolve(PACKAGE)];
    // This variable makes the package unpack its libraries too.
    const env = { TMPDIR: part, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
    await promisify(execFile)(process.execPath, args, { env, timeout: UNPACK_TIMEOUT_MS });
    await writeFile(join(part, 'fonts', 'fonts.conf'), fontsIn(folder));
    await rename(part, folder);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // otherwise another process has unpacked it
  }
}
