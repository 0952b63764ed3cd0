import { describe, expect, it } from '@jest/globals';
import { countEdgeHits } from '../../../lambdas/domain/analytics/edge-hits.ts';
import { edgeHits } from '../../../lambdas/domain/analytics/edge-log.ts';
import { createGroup } from '../../../lambdas/domain/sites/groups/manage-groups.ts';
import { queues } from '../../../lambdas/messages.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { newSite } from '../../support/crawl-here.ts';
import { queue, table } from '../../support/memory/stores.ts';

const FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) ' +
  'cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken ' +
  'x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status ' +
  'fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len ' +
  'sc-range-start sc-range-end';

type Line = {
  readonly path?: string;
  readonly query?: string;
  readonly result?: string;
  readonly method?: string;
  readonly status?: string;
  readonly requestId?: string;
};

const SITE = '01930000-0000-7000-8000-000000000001';
const ID = 'SOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==';

/** A line of CloudFront's standard log, in the form of its documentation. */
function logLine({
  path = `/v1/public/sites/${SITE}/search`,
  query = 'q=gopher',
  result = 'Hit',
  method = 'GET',
  status = '200',
  requestId = ID,
}: Line): string {
  const agent = 'Mozilla/5.0%20(Windows%20NT%2010.0;%20Win64;%20x64)%20AppleWebKit/537.36%20(KHTML,%20like%20Gecko)';
  return [
    ...['2026-11-24', '21:02:31', 'LAX1', '392', '192.0.2.100', method, 'd111111abcdef8.cloudfront.net', path, status],
    ...['https://www.example/', agent, query, '-', result, requestId, 'd111111abcdef8.cloudfront.net', 'https', '23'],
    ...['0.001', '-', 'TLSv1.2', 'ECDHE-RSA-AES128-GCM-SHA256', result, 'HTTP/2.0', '-', '-', '11040', '0.001', result],
    ...['application/json', '78', '-', '-'],
  ].join('\t');
}

const logFile = (...lines: readonly Line[]): string =>
  `#Version: 1.0\n#Fields: ${FIELDS}\n${lines.map((line) => `${logLine(line)}\n`).join('')}`;

const queriesIn = (...lines: readonly Line[]) => [...edgeHits(logFile(...lines))].map(({ query }) => query);

describe('a log of the edge', () => {
  it('a log of the edge has the searches that the cache answered, with their time and the id of the request', () => {
    expect([...edgeHits(logFile({ query: 'q=gopher&limit=10' }))]).toEqual([
      { requestId: ID, at: Date.parse('2026-11-24T21:02:31Z'), kind: 'sites', id: SITE, query: 'gopher' },
    ]);
  });

  it.each<[string, Line]>([
    ['the service answered', { result: 'Miss' }],
    ['the service refused', { status: '403' }],
    ['are no search', { path: `/v1/public/sites/${SITE}/facets` }],
    ['are no search either', { path: '/api/sites' }],
    ['name no site', { path: '/v1/public/sites/x/search' }],
    ['ask for a later page', { query: 'q=gopher&offset=10' }],
    ['have no query', { query: '-' }],
    ['have an empty query', { query: 'q=&limit=3' }],
    ['are preflights', { method: 'OPTIONS' }],
    ['have no id', { requestId: '' }],
  ])('has requests that %s, which are no hits', (_, line) => {
    expect(queriesIn(line)).toEqual([]);
  });

  it.each([
    ['q=two+words', 'two words'],
    ['q=two%2520words', 'two words'],
    ['q=two%20words', 'two words'],
    ['q=caf%25C3%25A9', 'café'],
    ['q=caf%C3%A9', 'café'],
    ['limit=3&q=a%2526b&offset=0', 'a&b'],
    ['q=%25', '%'],
    ['q=%25E4%25', '\ufffd%'],
  ])('writes the query %s for %s', (query, text) => {
    expect(queriesIn({ query })).toEqual([text]);
  });

  it('a log of the edge may be truncated, empty, or have other fields in another order', () => {
    const whole = logFile({}, {});
    expect([...edgeHits(whole.slice(0, -100))].length).toBeLessThanOrEqual(2);
    expect([...edgeHits('')]).toEqual([]);
    expect([...edgeHits('no log\nat all\t\t')]).toEqual([]);
    const fields = ['cs-uri-query', 'cs-uri-stem', 'x-edge-result-type', 'cs-method', 'sc-status'];
    const values = ['q=a', `/v1/public/groups/${SITE}/search/`, 'Hit', 'GET', '200'];
    const more = {
      fields: [...fields, 'x-edge-request-id', 'time', 'date'],
      values: [...values, ID, '00:00:00', '2026-01-01'],
    };
    expect([...edgeHits(`#Fields: ${more.fields.join(' ')}\r\n${more.values.join('\t')}\r\n`)]).toMatchObject([
      { kind: 'groups', query: 'a' },
    ]);
  });
});

describe('hits of the edge', () => {
  const received = async () => {
    const [message] = await queue.receive('telemetry', { max: 1, waitSeconds: 0 });
    if (!message) return [];
    await queue.acknowledge('telemetry', message.receipt);
    return queues.telemetry.message.parse(JSON.parse(message.body)).events;
  };
  const files = (text: string) => {
    const kept = new Map([['log.gz', text]]);
    return {
      kept,
      read: async (key: string) => kept.get(key),
      remove: async (key: string) => void kept.delete(key),
    };
  };

  it('hits of the edge are sent as events without addresses, of existing sites and groups, and the file is deleted', async () => {
    const { siteId, orgId } = await newSite('https://www.example/');
    const group = await createGroup(
      { name: 'All', siteIds: [siteId] },
      { orgId, plan: 'enterprise' },
      { table, clock: Date.now, newId },
    );
    const edgeLogs = files(
      logFile(
        { path: `/v1/public/sites/${siteId}/search`, query: 'q=Ada%40example.org+Gopher', requestId: 'one' },
        { path: `/v1/public/groups/${group.groupId}/search`, requestId: 'two' },
        { requestId: 'of no site' },
      ),
    );
    await countEdgeHits('log.gz', { edgeLogs, table, queue });
    const at = Date.parse('2026-11-24T21:02:31Z');
    expect(await received()).toEqual([
      { id: 'edge-one', at, orgId, siteId, type: 'search', query: '[mail] gopher' },
      { id: 'edge-two', at, orgId, type: 'search', query: 'gopher' },
    ]);
    expect(edgeLogs.kept.size).toBe(0);
    await countEdgeHits('log.gz', { edgeLogs, table, queue });
    expect(await received()).toEqual([]);
  });

  it('hits of the edge are sent in as many messages as they need', async () => {
    const { siteId } = await newSite('https://www.example/');
    const path = `/v1/public/sites/${siteId}/search`;
    const query = `q=${'%25F0%259F%2598%2580'.repeat(500)}`;
    const lines = Array.from({ length: 300 }, (_, n) => ({ path, query, requestId: `request-${n}` }));
    await countEdgeHits('log.gz', { edgeLogs: files(logFile(...lines)), table, queue });
    const ids = new Set<string>();
    let messages = 0;
    for (let events = await received(); events.length > 0; events = await received()) {
      messages += 1;
      for (const { id } of events) ids.add(id);
    }
    expect([ids.size, messages > 1]).toEqual([300, true]);
  });
});
