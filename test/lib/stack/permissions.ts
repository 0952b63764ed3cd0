import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildBundle, type Entry, entries, type Port } from '../../../lib/bundle.ts';
import { NOTES, OTHERS_WRITE, WRITTEN } from '../../../lib/table-partitions.ts';
import { resourcesOf } from '../readable-template.ts';
import { actionsOf, grants } from '../review.ts';
import { production } from './templates.ts';

/*
 * What each function may do. The permissions of a role follow from the imports of its code, so a changed import shows
 * here: change this table on purpose only.
 */
const MAY: Readonly<Record<string, readonly Entry[]>> = {
  'table-reader': [
    'api/list-sites',
    'api/get-site',
    'api/list-site-jobs',
    'api/get-job',
    'api/list-job-pages',
    'api/get-crawl-urls',
    'api/list-schedules',
    'api/list-index-pages',
    'api/test-url',
    'api/list-reviews',
    'api/get-review',
    'api/list-groups',
    'api/get-group',
    'api/list-keys',
    'api/get-organisation',
    'api/fallback',
    'api/get-health',
    'api/list-webhooks',
  ],
  'table-reader, table': [
    'api/create-site',
    'api/replace-crawl-urls',
    'api/clear-crawl-urls',
    'api/reject-review',
    'api/create-webhook',
    'api/delete-webhook',
    'api/test-webhook',
    'api/create-group',
    'api/update-group',
    'api/delete-group',
    'api/create-key',
    'api/revoke-key',
  ],
  'table-reader, table, queue': [
    'api/update-site',
    'api/delete-site',
    'api/start-crawl',
    'api/cancel-job',
    'api/purge-site',
    'api/approve-review',
  ],
  'table-reader, table, timetable': ['api/set-schedule', 'api/delete-schedule'],
  'table-reader, index-reader': ['api/list-pages', 'api/suggest-in-group'],
  'table-reader, table, queue, page-store, index-reader, page-index, embedder, chat-model': [
    'api/ingest-pages',
    'workers/crawl-slice',
    'workers/enrich-pages',
  ],
  'table-reader, table, page-store, index-reader, page-index, embedder': ['api/delete-pages', 'api/delete-index-pages'],
  'table-reader, page-store, index-reader, embedder': ['api/trace-url'],
  'table-reader, table, page-store, index-reader, embedder': ['workers/check-health'],
  'table-reader, index-reader, event-sink, embedder': [
    'api/search-site',
    'api/search-site-by-post',
    'api/search-group',
    'api/search-group-by-post',
  ],
  'table-reader, index-reader, embedder': ['api/get-site-facets', 'api/get-group-facets'],
  'table-reader, index-reader, event-reader': ['api/suggest-in-site'],
  'table-reader, event-sink': ['api/record-event'],
  'table-reader, table, index-reader, event-sink, embedder, chat-model': ['api/chat-with-site', 'api/chat-with-group'],
  'table-reader, event-reader': ['api/get-analytics', 'api/get-usage', 'api/get-site-usage', 'api/list-top-queries'],
  'table-reader, table, event-reader, embedder': ['api/list-content-gaps'],
  'table, queue, timetable': ['workers/start-scheduled'],
  'table-reader, table, queue, page-store, index-reader, page-index, embedder, chat-model, page-renderer': [
    'workers/render-slice',
  ],
  'table, queue': ['workers/crawl-dead', 'workers/deliver-webhooks'],
  'table-reader, table, queue, page-store, index-reader, page-index, embedder': [
    'workers/embed-pages',
    'workers/refill-pages',
    'workers/watchdog',
  ],
  'table, queue, page-store, index-reader, page-index, index-moves, embedder': ['workers/move-index'],
  'table-reader, table, queue, timetable, page-store, page-index, event-reader, event-log': ['workers/clean-up-site'],
  'event-reader, event-log': ['workers/append-events', 'workers/expire-events'],
  'table-reader, queue, edge-logs': ['workers/count-edge-hits'],
  queue: ['workers/collect-events'],
  'table, queue, index-admin, embedder': ['workers/create-index'],
};

const bundle = buildBundle();
const functions = resourcesOf(production, 'AWS::Lambda::Function');
const roleOf = (entry: Entry): string => {
  const found = functions.find(([, { Properties }]) => Properties.Handler === `lambdas/${entry}.handler`);
  return `${found?.[0]}-role`;
};
const granted = grants(production);
const of = (entry: Entry) => granted.filter(({ role }) => role === roleOf(entry));
const writesOf = (entry: Entry): readonly string[] =>
  of(entry).flatMap((grant) => {
    if (!actionsOf(grant).includes('dynamodb:UpdateItem')) return [];
    return (
      (grant.Condition as Record<string, Record<string, readonly string[]>>)['ForAllValues:StringLike']?.[
        'dynamodb:LeadingKeys'
      ] ?? ['everything']
    );
  });

describe('what a function may do', () => {
  it('is what its row says', () => {
    const byPorts = Map.groupBy(entries, (entry) => bundle.portsOf(entry).join(', '));
    expect(Object.fromEntries([...byPorts].map(([ports, of]) => [ports, of.toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(MAY).map(([ports, of]) => [ports, of.toSorted()])),
    );
  });
});

describe('the table', () => {
  it.each(entries)('is written by %s in the partitions of its row alone', (entry) => {
    const ports: readonly Port[] = bundle.portsOf(entry);
    const expected = [
      ...(ports.includes('table-reader') || ports.includes('table') ? NOTES : []),
      ...(ports.includes('table') ? (WRITTEN[entry] ?? OTHERS_WRITE) : []),
    ];
    expect(new Set(writesOf(entry))).toEqual(new Set(expected));
  });

  it('lets only the functions that manage keys write keys, and none write the list of organisations', () => {
    const writers = entries.filter((entry) =>
      writesOf(entry).some((partition) => /^(KEY|ORGS|\*|everything)/.test(partition)),
    );
    expect(writers).toEqual(['api/create-key', 'api/revoke-key']);
  });

  it('is divided into partitions that are all known here', () => {
    const files = readdirSync('lambdas/domain', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const known = [...NOTES, ...OTHERS_WRITE, 'KEY#*', 'ORGS'].map((pattern) => pattern.replace('*', ''));
    for (const file of files) {
      const text = readFileSync(`lambdas/domain/${file}`, 'utf8');
      const constants = [...text.matchAll(/\bpk: ([A-Z_]+),/g)].flatMap(([, name]) =>
        [...text.matchAll(new RegExp(`\\b${name} = '([A-Z]+#?)'`, 'g'))].map(([, value = '']) => value),
      );
      const literals = [...text.matchAll(/\bpk: [`']([A-Z]+#?)/g)].map(([, value = '']) => value);
      expect([file, known]).toEqual([file, expect.arrayContaining([...constants, ...literals])]);
    }
  });
});

describe('the search domain', () => {
  const requestsOf = (entry: Entry) =>
    of(entry).flatMap((grant) =>
      actionsOf(grant).flatMap((action) =>
        action.startsWith('es:')
          ? [grant.Resource].flat().map((path) => `${action.slice(9)} ${String(path).replace(/^.*Arn/, '')}`)
          : [],
      ),
    );

  it('takes nothing but searches from functions that visitors call', () => {
    const visitors = entries.filter((entry) => /search|suggest|facets|chat|record-event|fallback/.test(entry));
    const requests = new Set(visitors.flatMap(requestsOf));
    expect([...requests].toSorted()).toEqual(['Post /_msearch', 'Post /event*/_search', 'Post /event-state/_mget']);
  });

  it('lets only the worker of migrations delete indices of pages, and the workers of events those of events', () => {
    const deleters = entries.flatMap((entry) =>
      requestsOf(entry)
        .filter((request) => request.startsWith('Delete'))
        .map((request) => `${entry} ${request}`),
    );
    expect(deleters.toSorted()).toEqual([
      'workers/append-events Delete /events-*',
      'workers/clean-up-site Delete /events-*',
      'workers/expire-events Delete /events-*',
      'workers/move-index Delete /pages-*',
    ]);
  });
});
