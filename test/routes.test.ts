import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { pathsOf, type Route, surfaceOf } from '../lambdas/routes/route.ts';
import { routes } from '../lambdas/routes.ts';
import { namesInPath } from '../lambdas/runtime/openapi.ts';

const table = Object.entries<Route>(routes);

const INTERFACE = `
  200 get /api/sites
  201 post /api/sites
  200 get /api/sites/{siteId}
  200 put /api/sites/{siteId}
  200 delete /api/sites/{siteId}
  201 post /api/sites/{siteId}/crawl
  200 get /api/sites/{siteId}/crawl-urls
  200 put /api/sites/{siteId}/crawl-urls
  200 delete /api/sites/{siteId}/crawl-urls
  200 get /api/sites/{siteId}/schedules
  201 post /api/sites/{siteId}/schedules
  200 delete /api/sites/{siteId}/schedules
  200 get /api/sites/{siteId}/jobs
  200 get /api/jobs/{jobId}
  200 get /api/sites/{siteId}/crawl/{jobId}
  200 delete /api/jobs/{jobId}
  200 get /api/jobs/{jobId}/pages
  200 get /api/sites/{siteId}/pages
  200 post /api/sites/{siteId}/pages
  200 delete /api/sites/{siteId}/pages
  200 post /api/sites/{siteId}/purge
  200 get /api/sites/{siteId}/index-pages
  200 delete /api/sites/{siteId}/index-pages
  200 get /api/sites/{siteId}/health
  200 get /api/sites/{siteId}/trace
  200 post /api/sites/{siteId}/test-url
  200 post /api/sites/{siteId}/preview
  200 get /api/sites/{siteId}/reviews
  200 get /api/sites/{siteId}/reviews/{reviewId}
  200 post /api/sites/{siteId}/reviews/{reviewId}/approve
  200 post /api/sites/{siteId}/reviews/{reviewId}/reject
  200 get /api/sites/{siteId}/webhooks
  201 post /api/sites/{siteId}/webhooks
  200 delete /api/sites/{siteId}/webhooks/{webhookId}
  200 post /api/sites/{siteId}/webhooks/{webhookId}/test
  200 get /api/groups
  201 post /api/groups
  200 get /api/groups/{groupId}
  200 put /api/groups/{groupId}
  204 delete /api/groups/{groupId}
  200 get /api/analytics
  200 get /api/usage
  200 get /api/sites/{siteId}/usage
  200 get /api/sites/{siteId}/top-queries
  200 get /api/sites/{siteId}/content-gaps
  200 get /api/keys
  201 post /api/keys
  200 delete /api/keys/{keyId}
  200 get /api/organisation
  200 get /v1/public/sites/{siteId}/search
  200 post /v1/public/sites/{siteId}/search
  200 get /v1/public/sites/{siteId}/facets
  200 get /v1/public/sites/{siteId}/suggest
  202 post /v1/public/sites/{siteId}/events
  200 get /v1/public/sites/{siteId}/page
  200 get /v1/public/sites/{siteId}/llms.txt
  200 post /v1/public/sites/{siteId}/chat
  200 post /api/mcp
  200 post /v1/public/sites/{siteId}/mcp
  200 post /v1/public/groups/{groupId}/mcp
  200 get /v1/public/groups/{groupId}/search
  200 post /v1/public/groups/{groupId}/search
  200 get /v1/public/groups/{groupId}/facets
  200 get /v1/public/groups/{groupId}/suggest
  200 post /v1/public/groups/{groupId}/chat
`;

/** Adds the path below the organisation to every operation of sites. */
const interfaceOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const [status, method, path = ''] = line.split(' ');
    const isOfSites = /^\/api\/sites(?:\/|$)/.test(path);
    return isOfSites
      ? [line, `${status} ${method} ${path.replace('/api', '/api/organisations/{orgId}/ai-search')}`]
      : [line];
  });

const operations = table.flatMap(([, route]) =>
  pathsOf(route).map((path) => `${route.status} ${route.method} ${surfaceOf(route)}${path}`),
);

describe('the table of routes', () => {
  it('has exactly the operations of the contract', () => {
    expect(operations.toSorted()).toEqual(interfaceOf(INTERFACE.trim().split(/\n\s*/)).toSorted());
  });

  it('has no two routes with the same method and path', () => {
    const keys = operations.map((operation) => operation.slice('200 '.length));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('each route has a file in api/, and no other file is there', () => {
    const files = readdirSync(new URL('../lambdas/api/', import.meta.url)).filter((file) => file !== 'fallback.ts');
    expect(files.toSorted()).toEqual(table.map(([name]) => `${name}.ts`).toSorted());
  });

  it.each(table)('%s has a schema of exactly its path parameters', (_, { paths, params }) => {
    const names = new Set(paths.flatMap(namesInPath));
    expect(Object.keys(params.shape).toSorted()).toEqual([...names].toSorted());
  });

  it.each(table)(
    '%s has a body only if its method allows one, and a response schema unless it returns 204',
    (_, route) => {
      if (route.method === 'get') expect(route.body).toBeUndefined();
      expect(route.response === undefined).toBe(route.status === 204);
    },
  );
});
