import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { demoPages } from '../../../local/server/demo-pages.ts';

export type Page = { readonly name: string; readonly html: string };

/** The HTML files of the project and the pages of its demo site. */
export async function projectPages(): Promise<readonly Page[]> {
  const files = globSync('{web,test,bench,docs}/**/*.html').map((name) => ({ name, html: readFileSync(name, 'utf8') }));
  const demoPage = demoPages();
  const index = (await demoPage('/demo/'))?.body ?? '';
  const addresses = new Set(Array.from(index.matchAll(/href="(\/demo\/[^"#]*)"/g), (match) => match[1] ?? ''));
  const demo = await Promise.all(
    [...addresses].map(async (name) => ({ name, html: (await demoPage(name))?.body ?? '' })),
  );
  return [...files, ...demo, { name: '/demo/', html: index }];
}

/** Folder of pages of many sites, which are not part of the repository. */
export const MATERIAL = process.env.MATERIAL_DIR ?? '../shared/material';

/** The names of the material's pages; undefined where the material is missing. */
export function materialNames(): readonly string[] | undefined {
  if (!existsSync(MATERIAL)) return undefined;
  return globSync(join(MATERIAL, '{extraction/html,articles}/*.html.gz'))
    .map((file) => relative(MATERIAL, file))
    .sort();
}

export const materialPage = (name: string): string => gunzipSync(readFileSync(join(MATERIAL, name))).toString('utf8');
