import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { UnavailableError } from '../../../lambdas/domain/errors.ts';
import type { ApiEvent, ApiResponse } from '../../../lambdas/runtime/api-event.ts';
import { ingestion } from '../../../local/server/ingestion.ts';

const event = {
  httpMethod: 'POST',
  path: '/api/sites/x/pages',
  headers: {},
  pathParameters: { siteId: 'x' },
  requestContext: { requestId: 'r' },
} as unknown as ApiEvent;
const large = { ...event, body: 'x'.repeat(100_000), isBase64Encoded: true };
const OK: ApiResponse = { statusCode: 200, headers: {}, body: '' };

it('two large requests run at once, and small ones at the same time', async () => {
  const ends: (() => void)[] = [];
  let begun = 0;
  const ingest = ingestion((_, { body }) => {
    begun++;
    return body ? new Promise((resolve) => ends.push(() => resolve(OK))) : Promise.resolve(OK);
  });
  const responses = Array.from({ length: 5 }, () => ingest('ingest-pages', large));
  expect(await ingest('ingest-pages', event)).toEqual(OK);
  expect(begun).toBe(3);
  while (ends.length > 0) {
    ends.shift()?.();
    await turn();
  }
  expect(await Promise.all(responses)).toEqual(Array.from({ length: 5 }, () => OK));
});

it('a request whose thread dies is answered with 503', async () => {
  const ingest = ingestion(() => Promise.reject(new UnavailableError('The thread that was called has ended')));
  for (const request of [event, large, large, large]) {
    const { statusCode, headers, body } = await ingest('ingest-pages', request);
    expect(statusCode).toBe(503);
    expect(headers).toMatchObject({ 'Retry-After': '5', 'X-Request-Id': 'r', 'X-RateLimit-Limit': '1000' });
    expect(JSON.parse(body)).toMatchObject({ code: 'upstream_unavailable' });
  }
});

it('a large request that waits for eight seconds is refused before it begins', async () => {
  let begun = 0;
  const ingest = ingestion(() => {
    begun++;
    return new Promise(() => undefined);
  });
  void ingest('ingest-pages', large);
  void ingest('ingest-pages', large);
  const { statusCode, body } = await ingest('ingest-pages', large);
  expect([statusCode, begun]).toEqual([503, 2]);
  expect(JSON.parse(body).error).toMatch(/Too many pages are being ingested/);
}, 12_000);
