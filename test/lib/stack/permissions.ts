import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../../lambdas/routes/route.ts';
import { routes } from '../../../lambdas/routes.ts';
import { type Entry, entries, operations, permissionsOf } from '../../../lib/entries.ts';
import { NOTES, OTHERS_WRITE, WRITTEN } from '../../../lib/table-partitions.ts';
import { resourcesOf } from '../readable-template.ts';
import { actionsOf, grants } from '../review.ts';
import { production } from './templates.ts';

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

describe('the table', () => {
  it.each(entries)('is written by %s in the partitions of its row alone', (entry) => {
    const { uses } = permissionsOf(entry);
    const expected = [
      ...(uses.includes('table-reader') || uses.includes('table') ? NOTES : []),
      ...(uses.includes('table') ? (WRITTEN[entry] ?? OTHERS_WRITE) : []),
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

describe('an endpoint that reads', () => {
  const reading = operations.filter((name) => (routes[name] as Route).method === 'get');

  it.each(reading)('%s may write notes and vectors alone, and sends to no queue', (name) => {
    const entry: Entry = `api/${name}`;
    const notes = [...NOTES, 'VECTOR#*', 'SCALE#*'];
    expect(writesOf(entry).filter((partition) => !notes.includes(partition))).toEqual([]);
    const actions = of(entry).flatMap(actionsOf);
    expect(
      actions.filter((action) => /^(?!logs:|xray:|dynamodb:).+:(?!Get|List|ESHttp(?:Get|Head|Post)$)/.test(action)),
    ).toEqual([]);
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
