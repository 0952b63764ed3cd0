import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the build reads, and what it only imports. */
const COPIED = ['web', 'bin/web.ts', 'packages/client/src', 'docs/openapi.json', 'package.json', 'package-lock.json'];
const LINKED = ['node_modules', 'lambdas'];

describe('the build of the files for browsers', () => {
  let folder: TemporaryFolder;
  const at = (...names: readonly string[]) => join(folder.path, ...names);
  const builds = () => readdirSync(at('dist/web')).toSorted();
  const build = (env: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, [at('bin/web.ts')], { env: { ...process.env, ...env } });

  beforeEach(() => {
    folder = temporaryFolder();
    for (const name of COPIED) cpSync(join(ROOT, name), at(name), { recursive: true });
    for (const name of LINKED) symlinkSync(join(ROOT, name), at(name));
  });
  afterEach(() => folder.remove());

  it('has every page, script and document, and is the same in every environment', async () => {
    await build({ NODE_ENV: 'development' });
    const [first = ''] = builds();
    const files = readdirSync(at('dist/web', first), { recursive: true, encoding: 'utf8' }).toSorted();
    const fixed = ['index.html', 'app/index.html', 'docs/index.html', 'docs/openapi.json', 'v1/site-search.js'];
    expect(files).toEqual(expect.arrayContaining([...fixed, 'favicon.svg', 'demo.css']));
    rmSync(at('dist'), { recursive: true });
    await build({ NODE_ENV: 'production' });
    expect(readdirSync(at('dist/web', first), { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(files);
  });

  it('happens once for several processes that start at the same time, and not again', async () => {
    await Promise.all([build(), build(), build()]);
    expect(builds()).toHaveLength(1);
    const [built = ''] = builds();
    const page = at('dist/web', built, 'index.html');
    appendFileSync(page, '<!-- kept -->');
    await build();
    expect(readFileSync(page, 'utf8')).toContain('<!-- kept -->');
  });

  it('leaves nothing if it fails', async () => {
    writeFileSync(at('web/home/home.ts'), 'const = 1;');
    await expect(build()).rejects.toThrow('home.ts');
    expect(builds()).toEqual([]);
  });

  it('keeps the two builds before it, which a running service may serve', async () => {
    for (const name of ['1', '2', '3']) {
      mkdirSync(at('dist/web', name), { recursive: true });
      await new Promise((resolve) => setTimeout(resolve, 20)); // file systems tell times apart
    }
    await build();
    expect(builds()).toHaveLength(3);
    expect(builds()).toEqual(expect.arrayContaining(['2', '3']));
  });

  it('says what to do where it cannot write', async () => {
    writeFileSync(at('dist'), 'a file');
    await expect(build()).rejects.toThrow(/web pages of this version are not built.*Run `node bin\/web\.ts`/);
  });
});
