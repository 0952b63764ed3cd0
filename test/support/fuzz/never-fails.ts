import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import type { Route } from '../../../lambdas/routes/route.ts';
import { type Json, listOf } from '../answer.ts';
import type { TestApi } from '../test-api.ts';
import { callerHeaders, callsOf, type Ids } from './route-calls.ts';

/** Matches messages in the words of the validation library. */
const LIBRARY_WORDS = /^(?:Invalid|Too (?:big|small)|Unrecognized|Expected)|received/;

/** Calls a route with hostile input. The client checks the shape of every answer. */
export async function neverFails(service: TestApi, route: Route, ids: Ids, runs: number): Promise<void> {
  const call = fc.tuple(callsOf(route, ids), callerHeaders(service.ready.apiKey));
  const property = fc.asyncProperty(call, async ([{ path, method, headers, body }, caller]) => {
    const answer = await service.client()(method, path, {
      headers: { ...caller, ...headers },
      ...(body !== undefined && { body }),
    });
    expect(answer.status).toBeLessThan(500);
    for (const { message } of issuesOf(answer.body)) expect(message).not.toMatch(LIBRARY_WORDS);
  });
  await fc.assert(property, { numRuns: runs });
}

const issuesOf = (body: Json): readonly Json[] => ('issues' in body ? listOf(body.issues) : []);

/** Resources that the calls name. Some routes delete them. Nothing answers at the site's address. */
export async function newIds(service: TestApi): Promise<Ids> {
  const siteId = await service.createSite('http://127.0.0.1:9/');
  const metadataSchema = [{ name: 'price', type: 'number', facet: true }];
  await service.api('PUT', `/sites/${siteId}`, { metadataSchema });
  const pages = [{ url: '/a', title: 'A page', content: 'Some words about docs.', contentType: 'text', tags: ['a'] }];
  await service.api('POST', `/sites/${siteId}/pages`, { pages });
  const publicAccess = { enabled: true, allowedDomains: ['*'] };
  const { body } = await service.api('POST', '/groups', { name: 'All', siteIds: [siteId], publicAccess });
  const jobId = await service.startCrawl(siteId);
  const [, keyId = ''] = (await service.makeKey('member')).split('_');
  return { siteId, jobId, keyId, groupId: String(body.groupId), orgId: service.ready.orgId };
}
