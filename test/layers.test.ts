import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/**
 * Who may import whom. A folder may import itself and what its row names; for a file, the most specific row counts.
 * `domain/*` are the files beside the rooms of the domain: errors, the clock, and functions over lists.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'lambdas/text': [],
  'lambdas/domain': ['lambdas/text'],
  'lambdas/domain/ports': ['lambdas/domain/*', 'lambdas/text'],
  'lambdas/domain/search/rank': ['lambdas/domain/ports', 'lambdas/text'],
  'lambdas/search-engine': ['lambdas/domain/ports', 'lambdas/domain/search/rank', 'lambdas/text'],
  'lambdas/env.ts': ['lambdas/domain/sites'],
  'lambdas/messages.ts': ['lambdas/domain/ports', 'lambdas/permissions.ts'],
  'lambdas/permissions.ts': ['lambdas/messages.ts'],
  'lambdas/routes': ['lambdas/domain', 'lambdas/permissions.ts', 'lambdas/routes.ts', 'lambdas/text'],
  'lambdas/routes.ts': ['lambdas/routes'],
  'lambdas/aws': [
    '#adapters',
    'lambdas/connectors/embedder',
    'lambdas/connectors/pdf',
    'lambdas/domain/*',
    'lambdas/domain/analytics/edge-hits.ts',
    'lambdas/domain/analytics/events',
    'lambdas/domain/pages/reindexing',
    'lambdas/domain/ports',
    'lambdas/domain/search/rank',
    'lambdas/env.ts',
    'lambdas/messages.ts',
    'lambdas/text',
  ],
  'lambdas/connectors': [
    '#adapters',
    'lambdas/domain/*',
    'lambdas/domain/pages/reindexing/index-registry.ts',
    'lambdas/domain/ports',
    'lambdas/env.ts',
    'lambdas/text',
  ],
  'lambdas/runtime': [
    '#adapters',
    'lambdas/connectors',
    'lambdas/domain',
    'lambdas/env.ts',
    'lambdas/messages.ts',
    'lambdas/routes',
    'lambdas/routes.ts',
    'lambdas/text',
  ],
  'lambdas/runtime/create-search-index.ts': [
    '#adapters',
    'lambdas/aws',
    'lambdas/connectors/provider',
    'lambdas/domain/*',
    'lambdas/domain/pages/reindexing',
    'lambdas/runtime',
  ],
  'lambdas/runtime/publish-web-files.ts': ['lambdas/aws/web-bucket.ts', 'lambdas/domain/*', 'web/headers.ts'],
  'lambdas/api': [
    '#adapters',
    'lambdas/connectors',
    'lambdas/domain',
    'lambdas/env.ts',
    'lambdas/routes',
    'lambdas/runtime',
    'lambdas/text/web',
  ],
  'lambdas/workers': [
    '#adapters',
    'lambdas/aws/edge-logs.ts',
    'lambdas/aws/web-bucket.ts',
    'lambdas/connectors',
    'lambdas/domain',
    'lambdas/env.ts',
    'lambdas/messages.ts',
    'lambdas/runtime',
  ],
  'local/sqlite': [
    '#adapters',
    'lambdas/connectors/embedder',
    'lambdas/domain/*',
    'lambdas/domain/analytics/events',
    'lambdas/domain/pages/reindexing',
    'lambdas/domain/ports',
    'lambdas/messages.ts',
    'lambdas/search-engine',
    'lambdas/text',
    'local/threads/store.ts',
  ],
  'local/threads': [
    '#adapters',
    'lambdas/connectors',
    'lambdas/domain',
    'lambdas/env.ts',
    'lambdas/messages.ts',
    'lambdas/runtime',
    'lambdas/search-engine',
    'lambdas/text',
    'lambdas/workers',
    'local/sqlite',
  ],
  'local/admin': ['#adapters', 'lambdas', 'lib/resource-names.ts', 'local/sqlite', 'local/threads/open-store.ts'],
  'local/server': [
    '#adapters',
    'lambdas',
    'local/admin/commands.ts',
    'local/sqlite',
    'local/threads',
    'web/build.ts',
    'web/headers.ts',
  ],
  lib: [
    'lambdas/env.ts',
    'lambdas/messages.ts',
    'lambdas/permissions.ts',
    'lambdas/routes',
    'lambdas/routes.ts',
    'lambdas/runtime/openapi.ts',
    'lambdas/domain/sites/limits/limit.ts',
    'lambdas/aws/opensearch/layout.ts',
    'lambdas/connectors/embedder/space.ts',
    'web/headers.ts',
  ],
  bin: ['lambdas', 'lib', 'local/admin', 'local/server', 'local/sqlite/data-folder.ts', 'web/build.ts'],
  'packages/client': [],
};

/** The packages, and modules of Node, of the houses that do no input or output. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'lambdas/text': [
    'css-what',
    'htmlparser2',
    're2js',
    'tldts',
    'zod',
    'node:buffer',
    'node:crypto',
    'node:module',
    'node:net',
    'node:util',
  ],
  'lambdas/domain': ['zod', 'node:crypto', 'node:util', 'node:zlib'],
  'lambdas/domain/search/rank': ['lambdas/domain/ports', 'lambdas/text'],
  'lambdas/search-engine': ['node:fs'],
  'packages/client': [],
};

/** Houses of pure functions: whoever calls them makes what is kept between calls, and passes it. */
const STATELESS = ['lambdas/domain', 'lambdas/search-engine', 'lambdas/text'];
/** Files of these houses that still keep something. */
const STATEFUL = ['lambdas/text/words/stemmer.ts', 'lambdas/text/words/terms.ts'];
/**
 * Classes of values that stay as they are, unless they are changed as below. Each use of a sticky pattern sets its
 * `lastIndex`.
 */
const VALUES = /^(?:RegExp|Map|Set|TextEncoder|TextDecoder|Intl\.\w+|URL|\w+Array)$/;
const CHANGES = 'add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift';

const files = globSync(['{bin,lambdas,lib,local}/**/*.ts', 'packages/*/src/**/*.ts']).toSorted();

const isWithin = (folder: string, path: string): boolean =>
  folder.endsWith('/*')
    ? posix.dirname(path) === folder.slice(0, -2)
    : path === folder || path.startsWith(`${folder}/`);

const rowOf = (rows: Readonly<Record<string, readonly string[]>>, file: string): string | undefined =>
  Object.keys(rows)
    .filter((folder) => isWithin(folder, file))
    .toSorted((a, b) => b.length - a.length)[0];

function importsOf(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) [^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  const specifiers = Array.from(found, ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
  return specifiers.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name));
}

/** The variables of a module that hold what an earlier call left. */
function stateOf(source: string): readonly string[] {
  const variables = Array.from(source.matchAll(/^(?:export )?(?:let|var) (\w+)/gm), ([, name]) => name ?? '');
  const objects = Array.from(source.matchAll(/^(?:export )?const (\w+)(?:: .+)? = (?:new ([\w.]+))?/gm));
  const changed = objects.filter(
    ([, name, type]) =>
      (type !== undefined && !VALUES.test(type)) ||
      new RegExp(
        `\\b${name}(?:\\.(?:${CHANGES})\\(|(?:\\[[^\\]\\n]+\\]|\\.(?!lastIndex\\b)\\w+) (?:[-+|?*&]{0,2})= )`,
      ).test(source),
  );
  return [...variables, ...changed.map(([, name]) => name ?? '')];
}

const isOwn = (path: string): boolean => /^(?:#adapters|bin|lambdas|lib|local|packages|test|web|bench)\//.test(path);

describe('the layers', () => {
  it('every file belongs to a layer', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => rowOf(LAYERS, file) === undefined)).toEqual([]);
  });

  it.each(Object.entries(LAYERS))('%s imports only itself and %j', (folder, allowed) => {
    const own = files.filter((file) => rowOf(LAYERS, file) === folder);
    const refused = own.flatMap((file) => {
      const imports = importsOf(file).filter(
        (path) => isOwn(path) && ![folder, ...allowed].some((each) => isWithin(each, path)),
      );
      return imports.map((path) => `${file} imports ${path}`);
    });
    expect(refused).toEqual([]);
  });

  it.each(Object.entries(PACKAGES))('%s imports no package but %j', (folder, allowed) => {
    const own = files.filter((file) => rowOf(PACKAGES, file) === folder);
    const names = own.flatMap(importsOf).filter((path) => !isOwn(path));
    const packages = names.map((name) =>
      name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name.split('/')[0],
    );
    expect(new Set(packages.filter((name) => !allowed.includes(name ?? '')))).toEqual(new Set());
  });

  it.each(STATELESS)('%s keeps nothing in its modules', (house) => {
    const own = files.filter((file) => isWithin(house, file));
    const found = own.filter((file) => stateOf(readFileSync(file, 'utf8')).length > 0);
    expect(found).toEqual(STATEFUL.filter((file) => isWithin(house, file)));
  });

  it('the check distinguishes state from values', () => {
    expect(
      stateOf('let last = 0;\nconst known = new WeakMap<object, string>();\nconst cache = new TokenCache();'),
    ).toEqual(['last', 'known', 'cache']);
    expect(stateOf('const sums = new Map<string, number>();\nconst add = () => sums.set("a", 1);')).toEqual(['sums']);
    expect(stateOf('const last = { at: 0 };\nfunction note() {\n  last.at = 1;\n}')).toEqual(['last']);
    expect(stateOf('const NAMES = new Set(["a"]);\nconst has = (name: string) => NAMES.has(name);')).toEqual([]);
  });

  it('no file is imported only for its effect: bundles would leave it out (`sideEffects` in package.json)', () => {
    const found = files.filter(
      (file) => file.startsWith('lambdas/') && /^import '\.\.?\//m.test(readFileSync(file, 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
