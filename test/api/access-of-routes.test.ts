import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { table } from '#adapters/table';
import { Plan, planIncludes } from '../../lambdas/domain/sites/access/plan.ts';
import { Role, roleIncludes } from '../../lambdas/domain/sites/access/role.ts';
import { pathsOf, type Route } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { HTTP_STATUS } from '../../lambdas/runtime/http-errors.ts';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { InProcessApi } from '../support/in-process-api.ts';
import { type IdField, type IdOf, idFieldsOf, sampleRequest } from '../support/sample-request.ts';

/*
 * Every route of the table that needs a key. A route that is added is covered as it is: what can differ is in its row.
 * If it has an id of a new kind, or a required field of a new name, its test says which sample it lacks.
 */

const withKey = Object.entries<Route>(routes).flatMap(([name, route]) =>
  'role' in route.access
    ? pathsOf(route).map((path) => ({ name, path, route, access: route.access as KeyAccess }))
    : [],
);
type KeyAccess = Extract<Route['access'], { readonly role: Role }>;

const withIds = withKey.flatMap((operation) =>
  idFieldsOf(operation.route, operation.path).map((field) => ({ ...operation, field })),
);
const withLowerRole = withKey.flatMap((operation) =>
  Role.options.filter((role) => !roleIncludes(role, operation.access.role)).map((role) => ({ ...operation, role })),
);
const withLowerPlan = withKey.flatMap((operation) => {
  const { plan: needed } = operation.access;
  return Plan.options.flatMap((plan) =>
    needed && !planIncludes(plan, needed.atLeast) ? [{ ...operation, plan }] : [],
  );
});

/** Refusals in the words of the contract. */
const PLAN_REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  'ingest-pages': [403, 'API access requires Pro or Enterprise plan'],
  'create-group': [402, 'Search Groups require an Enterprise plan'],
  'list-groups': [403, 'Search Groups require an Enterprise plan'],
  'get-group': [403, 'Search Groups require an Enterprise plan'],
  'update-group': [403, 'Search Groups require an Enterprise plan'],
  'delete-group': [403, 'Search Groups require an Enterprise plan'],
};

type Ids = Readonly<Record<string, string>>;
type Organisation = { readonly orgId: string; readonly client: ApiClient };

describe('the access of every route with a key', () => {
  let service: InProcessApi;
  let ours: Organisation;
  let theirs: Organisation;
  let theirIds: Ids;
  const invalid = new Map<string, ApiClient>();
  const lowerRoles = new Map<Role, ApiClient>();
  const lowerPlans = new Map<Plan, Organisation>();

  beforeAll(async () => {
    service = await InProcessApi.open({ workers: false });
    const organisation = async (plan: Plan): Promise<Organisation> => {
      const { orgId, apiKey } = await service.makeOrganisation(plan);
      return { orgId, client: service.client(apiKey) };
    };
    ours = await organisation('enterprise');
    theirs = await organisation('enterprise');
    theirIds = await makeSamples(theirs);
    const newKey = async (body: object): Promise<string> =>
      String((await ours.client('POST', '/api/keys', { body: { name: 'test', ...body } })).body.apiKey);
    for (const role of ['member', 'admin'] as const) lowerRoles.set(role, service.client(await newKey({ role })));
    for (const plan of ['free', 'pro'] as const) lowerPlans.set(plan, await organisation(plan));
    const [revoked, expired] = [
      await newKey({ role: 'owner' }),
      await newKey({ role: 'owner', expiresAt: Math.floor(Date.now() / 1000) + 1 }),
    ];
    await ours.client('DELETE', `/api/keys/${revoked.split('_')[1]}`);
    const unknown = `ssk_${randomUUID()}_${'x'.repeat(43)}`;
    const malformed = revoked.slice(0, -20);
    for (const [kind, key] of Object.entries({ missing: undefined, malformed, unknown, revoked, expired }))
      invalid.set(kind, service.client(key));
    await eventually(async () => (await invalid.get('expired')?.('GET', '/api/sites'))?.status === 401);
  });
  afterAll(() => service.end());

  const call = async (by: ApiClient | undefined, { route, path }: (typeof withKey)[number], idOf: IdOf) => {
    const { method, path: filled, ...request } = await sampleRequest(route, path, idOf);
    if (!by) throw new Error('there is no such key');
    return by(method, filled, request);
  };

  it.each(withKey)('$name at $path: 401 without a valid key', async (operation) => {
    for (const [kind, client] of invalid) {
      const { status, body, headers } = await call(client, operation, idsFrom(theirIds));
      expect([kind, status, body.code]).toEqual([kind, 401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it.each(withLowerRole)('$name at $path: 403 for the role $role', async ({ role, ...operation }) => {
    const idOf: IdOf = ({ name }) => (name === 'orgId' ? ours.orgId : randomUUID());
    const { status, body } = await call(lowerRoles.get(role), operation, idOf);
    expect([status, body.code]).toEqual([403, 'forbidden_role']);
  });

  it.each(withLowerPlan)(
    '$name at $path: the message of the contract for the plan $plan',
    async ({ plan, ...operation }) => {
      const { client, orgId } = lowerPlans.get(plan) ?? {};
      const idOf: IdOf = ({ name }) => (name === 'orgId' && orgId ? orgId : randomUUID());
      const { status, body } = await call(client, operation, idOf);
      expect([status, body.error]).toEqual(PLAN_REFUSALS[operation.name]);
      expect(HTTP_STATUS[String(body.code) as keyof typeof HTTP_STATUS]).toBe(status);
    },
  );

  it.each(withKey)('$name at $path: an owner is served, with the ids of its organisation', async (operation) => {
    const { jobSiteId, ...samples } = await makeSamples(ours);
    const ids = operation.path.includes('{jobId}') && jobSiteId ? { ...samples, siteId: jobSiteId } : samples;
    const { status, body } = await call(ours.client, operation, idsFrom(ids));
    expect([status, body.code]).toEqual([operation.route.status, undefined]);
  });

  describe('with an id of another organisation', () => {
    let ourIds: Ids;
    let before: unknown;

    beforeAll(async () => {
      ourIds = await makeSamples(ours);
      before = await stateOf(theirs, theirIds);
    });

    it.each(withIds)('$name at $path: 404 for $field.name in $field.part', async ({ field, ...operation }) => {
      const isForeign = ({ part, name }: IdField) => part === field.part && name === field.name;
      const idOf: IdOf = (asked) => idsFrom(isForeign(asked) ? theirIds : ourIds)(asked);
      const { status, body } = await call(ours.client, operation, idOf);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(JSON.stringify(body)).not.toContain('Theirs');
    });

    it('the refused requests have changed nothing there', async () => {
      expect(await stateOf(theirs, theirIds)).toEqual(before);
    });
  });
});

const idsFrom =
  (ids: Ids): IdOf =>
  ({ name }) => {
    const id = ids[name.replace(/Ids$/, 'Id')];
    if (id === undefined) throw new Error(`there is no sample of ${name}: make one in makeSamples`);
    return id;
  };

/** Creates one entity of each kind that has an id, in the organisation. */
async function makeSamples({ orgId, client }: Organisation): Promise<Ids> {
  const made = async (path: string, body?: object) => {
    const answer = await client('POST', path, body && { body });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const site = { name: 'Theirs', baseUrl: 'https://93.184.215.14/' }; // a saved scope needs no look-up of a name
  const siteId = String((await made('/api/sites', site)).siteId);
  const crawled = await made('/api/sites', site);
  const { jobId } = await made(`/api/sites/${crawled.siteId}/crawl`);
  const { groupId } = await made('/api/groups', { name: 'Theirs', siteIds: [siteId] });
  const { keyId } = await made('/api/keys', { name: 'Theirs' });
  await made(`/api/sites/${siteId}/schedules`, { frequency: 'daily' });
  const reviewId = await makeReview(siteId, String(jobId));
  const { webhookId } = await made(`/api/sites/${siteId}/webhooks`, { url: 'https://93.184.215.14/' });
  const others = { jobId: String(jobId), groupId: String(groupId), keyId: String(keyId), webhookId: String(webhookId) };
  return { orgId, siteId, jobSiteId: String(crawled.siteId), reviewId, ...others };
}

/** A crawl makes reviews, and no route does. */
async function makeReview(siteId: string, jobId: string): Promise<string> {
  const reviewId = randomUUID();
  const record = { siteId, jobId, reviewId, status: 'pending', urlCount: 1, parts: 1, share: 0.5, generation: 1 };
  const base = { baseUrl: 'https://93.184.215.14/', isListed: false, createdAt: Math.floor(Date.now() / 1000) };
  const pages = [{ url: 'https://93.184.215.14/gone', reason: '404' }];
  await table.putMany([
    { pk: `SITE#${siteId}`, sk: `REVIEW#${reviewId}`, ...record, ...base },
    { pk: `REVIEW#${reviewId}`, sk: 'URLS#000000', pages },
  ]);
  return reviewId;
}

const READ = ['/sites', '/groups', '/keys', '/sites/{siteId}', '/sites/{siteId}/schedules', '/jobs/{jobId}'];

async function stateOf({ client }: Organisation, ids: Ids): Promise<unknown> {
  const paths = READ.map((path) => path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? ''));
  return Promise.all(paths.map(async (path) => (await client('GET', `/api${path}`)).body));
}
