import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defined } from '../../lambdas/text/defined.ts';
import { cacheControlOf, contentTypeOf, isShared, SHARING_HEADERS } from '../../web/headers.ts';

export type StaticPage = {
  readonly contentType: string;
  readonly body: Buffer | string;
  /** Identifies the content of a file, so that a browser that has it does not load it again. */
  readonly etag?: string;
  /** The compressed forms of a file by their names in `Accept-Encoding`, best first. */
  readonly encoded?: ReadonlyMap<string, Buffer>;
};

/** Pages by their path, where it is not that of a file. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/docs': 'docs/index.html',
  '/docs/': 'docs/index.html',
};
/** The Brotli quality. 11, the highest, takes ten times as long and saves a few percent. */
const BROTLI_QUALITY = 9;
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/** Files that were requested, each compressed once. */
const kept = new Map<string, Promise<StaticPage>>();

/** The files of a folder, by path. */
export type WebFiles = { readonly folder: URL; readonly names: ReadonlySet<string> };

export async function webFilesOf(folder: URL): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const root = fileURLToPath(folder);
  const files = entries.filter((entry) => entry.isFile());
  return { folder, names: new Set(files.map(({ parentPath, name }) => relative(root, join(parentPath, name)))) };
}

/** Returns the file that a path of the service names. Only the listed files have a path. */
export async function fileAt(path: string, { folder, names }: WebFiles): Promise<StaticPage | undefined> {
  const name = Object.hasOwn(PAGES, path) ? (PAGES[path] ?? '') : fileOrDashboard(path, names);
  if (!names.has(name)) return undefined;
  const file = new URL(name, folder);
  const known = kept.get(file.href);
  if (known) return known;
  const page = readPage(file);
  kept.set(file.href, page);
  page.catch(() => kept.delete(file.href));
  return page;
}

/** The dashboard has one file for all of its screens. */
function fileOrDashboard(path: string, names: ReadonlySet<string>): string {
  const name = path.slice(1);
  return /^\/app(?:\/|$)/.test(path) && !names.has(name) && !extname(name) ? 'app/index.html' : name;
}

/** Returns the headers of a file of the service, at its path. */
export const fileHeaders = (path: string): Readonly<Record<string, string>> => ({
  'Cache-Control': cacheControlOf(path),
  ...(isShared(path) && SHARING_HEADERS),
});

async function readPage(file: URL): Promise<StaticPage> {
  const body = await readFile(file);
  const [br, gz] = await Promise.all([
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    gzipped(body),
  ]);
  const forms: readonly (readonly [string, Buffer])[] = [
    ['br', br],
    ['gzip', gz],
  ];
  return {
    contentType: contentTypeOf(file.pathname),
    body,
    etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`, // weak: one for all forms
    encoded: new Map(forms.filter(([, form]) => form.length < body.length)),
  };
}

/** Answers GET and HEAD in the best form that the client accepts, or with 304 if the client has the page. */
export function sendPage(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  { contentType, body, etag, encoded, status = 200 }: StaticPage & { readonly status?: number },
  more: Readonly<Record<string, string>>,
): void {
  const common = { ...more, ...defined({ ETag: etag }), ...(encoded && { Vary: 'Accept-Encoding' }) };
  if (etag !== undefined && listed(headers['if-none-match']).some((one) => one === '*' || one === etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const [encoding, form] = [...(encoded ?? [])].find(([name]) => accepts(headers['accept-encoding'], name)) ?? [];
  const sent = form ?? body;
  response.writeHead(status, {
    ...common,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(sent),
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
  });
  response.end(method === 'HEAD' ? undefined : sent);
}

const listed = (header = ''): readonly string[] => header.split(',').map((part) => part.trim());

/** Tells whether `Accept-Encoding` names the coding with a weight other than 0. */
const accepts = (header: string | undefined, coding: string): boolean =>
  listed(header).some((part) => {
    const [name, ...parameters] = part.toLowerCase().split(';');
    return (
      name?.trim() === coding && !parameters.some((parameter) => Number(parameter.trim().slice('q='.length)) === 0)
    );
  });
