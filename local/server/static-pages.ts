import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';

export type StaticPage = { readonly contentType: string; readonly body: Buffer | string };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const NAME = /^[\w-]+\.(?:html|css|js|json|svg)$/;

/** A file directly in the folder; undefined for any other name, so that no path leaves the folder. */
export async function fileOf(folder: URL, name: string): Promise<StaticPage | undefined> {
  if (!NAME.test(name)) return undefined;
  try {
    return {
      contentType: TYPES[extname(name)] ?? 'application/octet-stream',
      body: await readFile(new URL(name, folder)),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
