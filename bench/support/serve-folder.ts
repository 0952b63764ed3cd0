import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
};

/** Serves a folder on loopback, each answer after `delayMs`. */
export async function serveFolder(
  folder: string,
  { port = 0, delayMs = 0 } = {},
): Promise<{ readonly origin: string; readonly server: Server }> {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '/');
    const file = join(root, normalize(path.endsWith('/') ? `${path}index.html` : path));
    setTimeout(async () => {
      const facts = await stat(file).catch(() => undefined);
      if (!file.startsWith(root) || !facts?.isFile()) return response.writeHead(404).end('not found');
      response.writeHead(200, {
        'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
        'Content-Length': facts.size,
      });
      createReadStream(file).pipe(response);
    }, delayMs);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '.', port = '8080'] = process.argv.slice(2);
  console.log((await serveFolder(folder, { port: Number(port) })).origin);
}
