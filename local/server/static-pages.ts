import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Surface, surfaceDocument } from '../../lambdas/runtime/openapi-surface.ts';
import { defined } from '../../lambdas/text/defined.ts';

export type StaticPage = {
  readonly contentType: string;
  readonly body: Buffer | string;
  /** Identifies the content of a file, so that a browser that has it does not load it again. */
  readonly etag?: string;
  /** The compressed forms of a file by their names in `Accept-Encoding`, best first. */
  readonly encoded?: ReadonlyMap<string, Buffer>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
};
const NAME = /^[\w-]+\.(?:html|css|js|json|svg|ico)$/;

/** The Brotli quality. 11, the highest, takes ten times as long and saves a few percent. */
const BROTLI_QUALITY = 9;
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

type Kept = { readonly version: string; readonly page: Promise<StaticPage> };
/** Files that were requested, each compressed once. A changed file is read again. */
const kept = new Map<string, Kept>();

/**
 * Returns a file directly in the folder. Undefined for any other name, so that no path leaves the folder. With a
 * surface, returns the part of an OpenAPI document about it.
 */
export async function fileOf(folder: URL, name: string, surface?: Surface): Promise<StaticPage | undefined> {
  if (!NAME.test(name)) return undefined;
  const file = new URL(name, folder);
  const id = `${file.href} ${surface ?? ''}`;
  try {
    const { mtimeMs, size } = await stat(file);
    const version = `${mtimeMs} ${size}`;
    const known = kept.get(id);
    if (known?.version === version) return await known.page;
    const page = readPage(file, surface);
    kept.set(id, { version, page });
    page.catch(() => kept.delete(id));
    return await page;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readPage(file: URL, surface: Surface | undefined): Promise<StaticPage> {
  const content = await readFile(file);
  const body = surface ? Buffer.from(JSON.stringify(surfaceDocument(JSON.parse(String(content)), surface))) : content;
  const [br, gz] = await Promise.all([
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    gzipped(body),
  ]);
  const forms: readonly (readonly [string, Buffer])[] = [
    ['br', br],
    ['gzip', gz],
  ];
  return {
    contentType: TYPES[extname(file.pathname)] ?? 'application/octet-stream',
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
