import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SECURITY_HEADERS } from '../../../web/headers.ts';
import { ORIGIN, type World } from './world.ts';

/** The styles of the demo site, which only a laptop has. */
const FOR_LAPTOPS = 'demo.css';
const FOR_GOOD = 'public, max-age=31536000, immutable';

export const pages = (world: () => World): void =>
  describe('the files for browsers', () => {
    const load = (path: string, init: RequestInit = {}) =>
      fetch(`${world().stack.edgeUrl}${path}`, { ...init, headers: { Origin: ORIGIN, ...init.headers } });
    const headersOf = ({ headers }: Response, ...names: readonly string[]) =>
      names.map((name) => headers.get(name)?.replace(';charset', '; charset') ?? null); // S3Mock leaves the space out
    /** Returns a path with a hash that the file at another path names. */
    const namedIn = (text: string, pattern: RegExp): string => {
      const [path] = pattern.exec(text) ?? [];
      if (path === undefined) throw new Error(`Nothing like ${pattern} in ${text.slice(0, 500)}`);
      return path;
    };

    it.each([
      ['/?site=1&q=lamp', 'the search page', /src="\/assets\/index-/],
      ['/app', 'the dashboard', /src="\/app\/assets\/index-/],
      ['/app/sites/1', 'a screen of the dashboard', /src="\/app\/assets\/index-/],
      ['/docs', 'the API reference', /src="\/docs\/assets\/index-/],
    ])('at %s are %s, checked at each use, with the headers of a laptop', async (path, _, content) => {
      const answer = await load(path);
      expect(await answer.text()).toMatch(content);
      expect([answer.status, ...headersOf(answer, 'content-type', 'cache-control')]).toEqual([
        ...[200, 'text/html; charset=utf-8', 'no-cache'],
      ]);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer.headers.get(name)).toBe(value);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('are all served, each at its path', async () => {
      const publisher = world()
        .stack.template.ofType('AWS::Lambda::Function')
        .find(({ properties }) => properties.Handler === 'lambdas/workers/publish-web-files.handler');
      const { S3Key } = (publisher?.properties.Code ?? {}) as { readonly S3Key?: string };
      const folder = join(world().stack.template.assembly.folderOf(S3Key ?? ''), 'files-for-browsers');
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const paths = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
      for (const path of paths.filter((name) => name !== FOR_LAPTOPS)) {
        const { status, headers, body } = await load(`/${path}`);
        expect([path, status, headers.get('content-security-policy')]).toEqual([
          ...[path, 200, SECURITY_HEADERS['Content-Security-Policy']],
        ]);
        await body?.cancel();
      }
    });

    it('that pages name are there, and are kept for good', async () => {
      for (const page of ['/', '/app', '/docs']) {
        const html = await (await load(page)).text();
        const script = await load(namedIn(html, /\/[\w/]*assets\/index-[\w-]{8}\.js/));
        expect([script.status, ...headersOf(script, 'content-type', 'cache-control')]).toEqual([
          ...[200, 'text/javascript; charset=utf-8', FOR_GOOD],
        ]);
        await script.arrayBuffer();
      }
    });

    it('that websites load are open to all: the script for minutes, what it loads for good', async () => {
      const script = await load('/v1/site-search.js');
      expect(headersOf(script, 'content-type', 'cache-control')).toEqual([
        ...['text/javascript; charset=utf-8', 'public, max-age=300'],
      ]);
      const widget = await load(`/${namedIn(await script.text(), /widgets\/[\w-]+\.js/)}`);
      expect([widget.status, ...headersOf(widget, 'cache-control')]).toEqual([200, FOR_GOOD]);
      await widget.arrayBuffer();
      for (const answer of [script, widget])
        expect(headersOf(answer, 'access-control-allow-origin', 'cross-origin-resource-policy')).toEqual([
          ...['*', 'cross-origin'],
        ]);
    });

    it('that are missing are 404, at the edge and with no answer of the API', async () => {
      for (const path of [
        '/assets/none-Ab12Cd34.js',
        '/app/none.js',
        '/docs/none',
        '/widgets/none.js',
        '/v1/none.js',
      ]) {
        const answer = await load(path);
        expect([path, answer.status]).toEqual([path, 404]);
        expect(await answer.text()).not.toContain('not_found');
      }
    });

    it('are only read: the edge refuses to write', async () => {
      for (const [method, path] of [
        ['PUT', '/v1/site-search.js'],
        ['POST', '/'],
        ['DELETE', '/app/index.html'],
      ] as const)
        expect([path, (await load(path, { method })).status]).toEqual([path, 403]);
      expect((await load('/', { method: 'HEAD' })).status).toBe(200);
    });

    it('leave the paths of the API to the gateway', async () => {
      const { status, body } = await world().visitor('GET', '/v1/public/sites/none.js/search?q=a');
      expect([status, typeof body.code]).toEqual([404, 'string']);
      expect(await world().visitor('GET', '/api/sites')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    });
  });
