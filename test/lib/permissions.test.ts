import { posix, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import type { Port } from '../../lambdas/permissions.ts';
import { type Entry, entries, permissionsOf } from '../../lib/entries.ts';

/*
 * What routes and queues declare is what their code uses. The code of a function is what esbuild leaves of it: an
 * import that nothing calls does not count, whatever file it is in.
 */

/** The ports that each export of an adapter needs. The writer's port includes that of the reader. */
const ADAPTERS: Readonly<Record<string, Readonly<Record<string, readonly Port[]>>>> = {
  table: { table: ['table'], tableReader: ['table-reader'] },
  queue: { queue: [] }, // `sends`
  timetable: { timetable: ['timetable'] },
  'page-store': { pageStore: ['page-store'], pageStoreReader: ['page-store-reader'] },
  'page-index': {
    pageFinder: ['index-reader', 'table-reader'],
    pageIndex: ['page-index', 'table-reader'],
    pageRemover: ['page-index', 'table-reader'],
    openIndex: ['page-index', 'embedder'],
    dropIndex: ['index-moves'],
  },
  'search-index': { index: ['index-reader', 'table-reader'], embedder: ['embedder', 'table-reader'] },
  'event-log': { eventLog: ['event-log'], eventReader: ['event-reader'] },
  'event-sink': { sendEvent: ['event-sink'] },
  'page-reader': { pageReader: [] },
  secret: { readSecret: [] }, // part of `embedder` and `chat-model`
};

/** Ports without an adapter, by file: they are the same in AWS and on a laptop, or exist only in AWS. */
const FILES: Readonly<Record<string, Port>> = {
  'lambdas/connectors/embedder/configured.ts': 'embedder',
  'lambdas/connectors/chat-model/configured.ts': 'chat-model',
  'lambdas/connectors/chromium/page-renderer.ts': 'page-renderer',
  'lambdas/aws/edge-logs.ts': 'edge-logs',
  'lambdas/aws/web-bucket.ts': 'web-files',
  'lambdas/aws/opensearch/index/index-admin.ts': 'index-admin',
};

const READERS = {
  table: 'table-reader',
  'page-store': 'page-store-reader',
  'page-index': 'index-reader',
  'event-log': 'event-reader',
} as const;

/** Objects with a method `send` that are no queues. */
const OTHER_SENDERS = ['client', 'sender', 'session'];

const { outputFiles, metafile } = buildSync({
  entryPoints: entries.map((entry) => `lambdas/${entry}.ts`),
  outdir: 'out',
  outbase: 'lambdas',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  external: ['#adapters/*'],
  metafile: true,
  write: false,
});
const codes = new Map(outputFiles.map(({ path, text }) => [relative('out', path), text]));

/** Returns the rest of a function's code, without packages and adapters. */
function codeOf(entry: Entry): string {
  const code = codes.get(`${entry}.js`);
  if (code === undefined) throw new Error(`esbuild made no ${entry}`);
  return code;
}

/** Imports of adapters, such as `table tableReader`. One that is imported without a name may have any. */
const adaptersIn = (code: string): readonly string[] =>
  [...code.matchAll(/\bimport\b(?: \{([^}]*)\} from |[^"'\n]*)["']#adapters\/([\w-]+)["']/g)].flatMap(
    ([, names, adapter = '']) =>
      names === undefined
        ? Object.keys(ADAPTERS[adapter] ?? { anything: [] }).map((name) => `${adapter} ${name}`)
        : names.split(',').map((name) => `${adapter} ${name.trim().split(' as ')[0]}`),
  );

const filesOf = (entry: Entry): readonly string[] =>
  Object.entries(metafile.outputs[posix.join('out', `${entry}.js`)]?.inputs ?? {}).flatMap(
    ([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []),
  );

function portsUsedBy(entry: Entry): ReadonlySet<Port> {
  const byAdapters = adaptersIn(codeOf(entry)).flatMap((imported) => {
    const [adapter = '', name = ''] = imported.split(' ');
    const ports = ADAPTERS[adapter]?.[name];
    if (!ports)
      throw new Error(`Say in test/lib/permissions.test.ts which ports ${name} of #adapters/${adapter} needs`);
    return ports;
  });
  return withoutReaders([...byAdapters, ...filesOf(entry).flatMap((file) => FILES[file] ?? [])]);
}

/** Readers that are part of a writer are left out. */
function withoutReaders(ports: readonly Port[]): ReadonlySet<Port> {
  const all = new Set(ports);
  for (const [writer, reader] of Object.entries(READERS)) if (all.has(writer as Port)) all.delete(reader);
  return all;
}

function sentBy(entry: Entry): ReadonlySet<string> {
  const calls = [...codeOf(entry).matchAll(/(\w+?)\d*\.send\((?:"([\w-]+)")?/g)];
  return new Set(
    calls.flatMap(([call, receiver = '', queue]) => {
      if (OTHER_SENDERS.includes(receiver)) return [];
      if (receiver === 'queue' && queue !== undefined) return queue;
      throw new Error(`${entry} has ${call}…: write queue.send('name', …), so that this test can read the name`);
    }),
  );
}

const rowOf = (entry: Entry): string =>
  entry.startsWith('api/')
    ? 'its route (lambdas/routes/)'
    : 'its queue (lambdas/messages.ts) or lambdas/permissions.ts';

function faults(entry: Entry, what: 'uses' | 'sends', declared: ReadonlySet<string>, used: ReadonlySet<string>) {
  const list = `\`${what}\` of ${rowOf(entry)}`;
  const missing = [...used].filter((name) => !declared.has(name));
  const unused = [...declared].filter((name) => !used.has(name));
  return [
    ...missing.map((name) => `${entry} ${what} ${name}: add it to ${list}`),
    ...unused.map((name) => `the code of ${entry} does not need ${name}: remove it from ${list}`),
  ];
}

describe('declared permissions', () => {
  it('name exactly the ports that the code of the function uses', () => {
    const all = entries.flatMap((entry) =>
      faults(entry, 'uses', withoutReaders(permissionsOf(entry).uses), portsUsedBy(entry)),
    );
    expect(all).toEqual([]);
  });

  it('name exactly the queues that the code of the function sends to', () => {
    const all = entries.flatMap((entry) => faults(entry, 'sends', new Set(permissionsOf(entry).sends), sentBy(entry)));
    expect(all).toEqual([]);
  });

  it('name a queue if the code imports `#adapters/queue`, which needs the address of the queues', () => {
    const importing = entries.filter((entry) => adaptersIn(codeOf(entry)).includes('queue queue'));
    expect(importing).toEqual(entries.filter((entry) => permissionsOf(entry).sends.length > 0));
  });
});
