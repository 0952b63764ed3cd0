import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { buildWeb } from '../../web/build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

execFileSync(process.execPath, ['bin/web.ts'], { cwd: ROOT }); // Vite does not run inside Jest.
const folder = await buildWeb();
const widgets = readdirSync(new URL('widgets/', folder));
const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8');
const sizeOf = (path: string): number => gzipSync(read(path)).length;

/** The file of a widget, and what it imports at once. */
function graphOf(name: string): ReadonlySet<string> {
  const entry = widgets.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  const files = new Set([`widgets/${entry}`]);
  for (const file of files)
    for (const [, imported = ''] of read(file).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+)["'`]/g))
      files.add(`widgets/${imported}`);
  return files;
}

const weightOf = (name: string): number => [...graphOf(name)].map(sizeOf).reduce((sum, size) => sum + size, 0);

describe('the weight of the widgets, by gzip,', () => {
  it('the loader has at most 3 kB', () => {
    expect(sizeOf('v1/site-search.js')).toBeLessThanOrEqual(3 * 1024);
  });

  it('the modal has at most 15 kB with all that it loads', () => {
    const files = [...graphOf('modal')].map((file) => basename(file));
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => /^(?:answer|chat|de)-/.test(file))).toEqual([]);
    expect(weightOf('modal')).toBeLessThanOrEqual(15 * 1024);
  });

  it('the box and the page of results have at most 20 kB', () => {
    expect(weightOf('box')).toBeLessThanOrEqual(20 * 1024);
    expect(weightOf('page')).toBeLessThanOrEqual(20 * 1024);
  });

  it('nothing in the widgets sets HTML, but for the templates of Lit', () => {
    const places = [...graphOf('modal'), ...graphOf('page'), 'v1/site-search.js'].flatMap((file) => [
      ...read(file).matchAll(/.{40}(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function)/gs),
    ]);
    for (const [place] of places) expect(place).toMatch(/createElement\([`'"]template[`'"]\).*innerHTML/s);
  });
});
