import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT = 150_000;

it('the first load of the dashboard has at most 150 kB, with the screen of sites', () => {
  execFileSync(process.execPath, [join(ROOT, 'bin/web.ts')]);
  const [folder = ''] = globSync(join(ROOT, 'dist/web/*/app'));
  const loaded = new Map<string, number>();
  const load = (name: string): string => {
    const content = readFileSync(join(folder, name));
    loaded.set(name, gzipSync(content).length);
    return content.toString();
  };
  const assetsIn = (text: string) => [...text.matchAll(/assets\/[\w.-]+\.(?:js|css)/g)].map(([name]) => name);
  for (const name of assetsIn(load('index.html'))) load(name);
  const entry = [...loaded.keys()].find((name) => /\/index-.*\.js$/.test(name)) ?? '';
  const screen = assetsIn(load(entry)).find((name) => /\/sites-screen-.*\.js$/.test(name)) ?? '';
  // A module imports those beside it as "./name.js".
  for (const [, name = ''] of load(screen).matchAll(/["']\.\/([\w.-]+\.js)["']/g)) load(`assets/${name}`);
  expect([...loaded.keys()]).toEqual(expect.arrayContaining([expect.stringContaining('sites-screen')]));
  const bytes = [...loaded.values()].reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThan(LIMIT);
  expect(bytes).toBeGreaterThan(LIMIT / 3); // all of it was found
});
