import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { openSearchClient } from '../../lambdas/aws/opensearch/client.ts';
import { opensearchEventLog } from '../../lambdas/aws/opensearch/events/opensearch-event-log.ts';
import type { LoggedEvent } from '../../lambdas/domain/ports/logged-event.ts';
import { eventLogContract, NOON } from '../contracts/event-log.contract.ts';

const { OPENSEARCH_URL: url = '' } = process.env;

/** Runs the whole contract. The indexes have a separate prefix, and are deleted at the end. */
async function open() {
  const client = openSearchClient(url, { limitMs: 10_000 });
  const prefix = `test-${randomUUID()}-`;
  return {
    eventLog: opensearchEventLog(client, { prefix, now: () => NOON }),
    settle: async () => void (await client.send({ method: 'POST', path: `/${prefix}*/_refresh` })),
    async close() {
      await client.send({ method: 'DELETE', path: `/${prefix}event*` });
      await client.send({ method: 'DELETE', path: `/_index_template/${prefix}site-search-events` });
      client.close();
    },
  };
}

eventLogContract('OpenSearch', open);

it('rolls up a limited number of queries, first those that are frequent', async () => {
  const client = openSearchClient(url, { limitMs: 10_000 });
  const prefix = `test-${randomUUID()}-`;
  const eventLog = opensearchEventLog(client, { prefix, now: () => NOON, queriesOfDay: 1200 });
  const site = { orgId: randomUUID(), siteId: randomUUID() };
  const day = '2026-11-14';
  const search = (query: string, more: object = {}) =>
    ({ ...site, id: randomUUID(), at: Date.parse(day), type: 'search', query, results: 1, ...more }) as LoggedEvent;
  try {
    await eventLog.append([
      ...Array.from({ length: 1500 }, (_, n) => search(`new ${n}`)),
      ...Array.from({ length: 5 }, (_, n) => search('popular', { visitor: `v${n}` })),
    ]);
    while (!(await eventLog.removeExpired('2026-11-24', 10_000)));
    const queries = { query: { bool: { filter: [{ term: { part: 'query' } }, { term: { siteId: site.siteId } }] } } };
    const path = `/${prefix}event-counts-*/_count`;
    expect(await client.send({ method: 'POST', path, body: queries })).toMatchObject({ count: 1200 });
    expect(await eventLog.days(site, { from: day, to: day })).toMatchObject([{ searches: 1505 }]);
    expect(await eventLog.frequentQueries(site, { from: day, to: day }, { prefix: 'p', limit: 1 })).toEqual([
      'popular',
    ]);
  } finally {
    await client.send({ method: 'DELETE', path: `/${prefix}event*` });
    await client.send({ method: 'DELETE', path: `/_index_template/${prefix}site-search-events` });
    client.close();
  }
});
