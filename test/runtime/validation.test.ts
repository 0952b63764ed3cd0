import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { AppError } from '../../lambdas/domain/errors.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { validInput } from '../../lambdas/runtime/validation.ts';

const KINDS = {
  id: z.uuid().optional(),
  link: z.url().optional(),
  day: z.iso.date().optional(),
  time: z.iso.datetime().optional(),
  code: z.string().regex(/^a/).optional(),
  even: z.number().multipleOf(2).optional(),
  either: z.union([z.string().max(3), z.number(), z.strictObject({ in: z.boolean() })]).optional(),
  bound: z.union([z.number(), z.iso.date(), z.iso.datetime()]).optional(),
  sized: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('big'), by: z.int() }),
      z.object({ type: z.literal('small') }),
    ])
    .optional(),
  byName: z.record(z.string().max(3), z.int()).optional(),
  nothing: z.null().optional(),
};

const ROUTE: Route = {
  method: 'post',
  paths: ['/things/{thingId}'],
  summary: 'A thing',
  access: { role: 'member' },
  status: 200,
  params: z.object({ thingId: z.uuid() }),
  query: z.object({ sort: z.enum(['name', 'date']).optional() }),
  body: z.strictObject({
    name: z.string().min(1).max(3),
    count: z.int().min(1).max(9),
    tags: z.array(z.string()).max(1),
    on: z.boolean(),
    shape: z.literal('round').optional(),
    more: z.object({}).optional(),
    ...KINDS,
  }),
};
const THING = '01890000-0000-7000-8000-000000000000';
const FIELDS = ['name, count, tags, on, shape, more', ...Object.keys(KINDS)].join(', ');
const VALID = { name: 'one', count: 1, tags: [], on: true };

type Given = { readonly thingId?: string; readonly query?: object; readonly route?: Route };

async function refusalOf(body: object, { thingId = THING, query = {}, route = ROUTE }: Given = {}): Promise<AppError> {
  const event = { pathParameters: { thingId }, queryStringParameters: query, body: JSON.stringify(body) };
  const refused: unknown = await validInput(route, event as unknown as ApiEvent).catch((error: unknown) => error);
  if (!(refused instanceof AppError)) throw new Error('the request was accepted');
  return refused;
}

describe('the input of a request', () => {
  it('lists 20 faults and counts the others', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field${n}`, 1]));
    const { issues, moreIssues } = await refusalOf({ ...VALID, ...unknown, name: 7 });
    expect([issues?.length, moreIssues]).toEqual([20, 99_981]);
    expect(issues?.[0]).toEqual({ path: 'body.name', message: 'must be text' });
    const wrong = await refusalOf({ ...VALID, byName: unknown });
    expect([wrong.issues?.length, wrong.moreIssues]).toEqual([20, 99_980]);
  });

  it.each([
    [{ name: undefined }, 'body.name is required'],
    [{ name: 7 }, 'body.name must be text'],
    [{ name: '' }, 'body.name must have at least 1 character'],
    [{ name: 'long' }, 'body.name must have at most 3 characters'],
    [{ count: 'one' }, 'body.count must be a number'],
    [{ count: 1.5 }, 'body.count must be a whole number'],
    [{ count: 0 }, 'body.count must be at least 1'],
    [{ count: 10 }, 'body.count must be at most 9'],
    [{ tags: 'a' }, 'body.tags must be a list'],
    [{ tags: ['a', 'b'] }, 'body.tags must have at most 1 item'],
    [{ on: 'yes' }, 'body.on must be true or false'],
    [{ shape: 'square' }, 'body.shape must be round'],
    [{ more: [] }, 'body.more must be an object'],
    [{ id: 'x' }, 'body.id must be a UUID'],
    [{ link: 'x' }, 'body.link must be an absolute URL such as https://example.com/'],
    [{ day: '31.1.' }, 'body.day must be a date such as 2026-01-31'],
    [{ time: 'now' }, 'body.time must be a date and time such as 2026-01-31T12:00:00Z'],
    [{ code: 'b' }, 'body.code has the wrong form'],
    [{ even: 3 }, 'body.even must be a multiple of 2'],
    [{ either: [] }, 'body.either must be text or a number or an object'],
    [{ either: null }, 'body.either must be text or a number or an object'],
    [{ either: 'long' }, 'body.either must have at most 3 characters'],
    [{ either: { in: 1 } }, 'body.either has `in`, which must be true or false'],
    [{ either: { in: true, out: 1 } }, 'body.either.out is not a known field. The fields are in'],
    [{ bound: [] }, 'body.bound must be a number or text'],
    [{ bound: 'soon' }, 'body.bound must be a date such as 2026-01-31 or a date and time such as 2026-01-31T12:00:00Z'],
    [{ sized: {} }, 'body.sized.type must be one of big, small'],
    [{ sized: { type: 'huge' } }, 'body.sized.type must be one of big, small'],
    [{ sized: { type: 'big' } }, 'body.sized.by is required'],
    [{ sized: 'x' }, 'body.sized must be an object'],
    [{ byName: { long: 1 } }, 'body.byName.long has a name that must have at most 3 characters'],
    [{ byName: { a: 'x' } }, 'body.byName.a must be a number'],
    [{ nothing: 1 }, 'body.nothing must be null'],
    [{ nmae: 'one' }, 'body.nmae is not a known field. Did you mean name?'],
    [{ zzzzzz: 1 }, `body.zzzzzz is not a known field. The fields are ${FIELDS}`],
  ])('is refused in plain words: %j', async (change, message) => {
    expect((await refusalOf({ ...VALID, ...change })).message).toBe(`Invalid request: ${message}`);
  });

  it('is refused with the faults of path, query and body together', async () => {
    const { code, issues } = await refusalOf({ ...VALID, name: '' }, { thingId: 'x', query: { sort: 'size' } });
    expect(code).toBe('invalid_request');
    expect(issues).toEqual([
      { path: 'params.thingId', message: 'must be a UUID' },
      { path: 'query.sort', message: 'must be one of name, date' },
      { path: 'body.name', message: 'must have at least 1 character' },
    ]);
  });

  it('is refused for parameters that are not known, on paths with a key alone', async () => {
    const query = { sort: 'name', srt: 'name', filter: 'x' };
    expect((await refusalOf(VALID, { query })).issues).toEqual([
      { path: 'query.srt', message: 'is not a known parameter. Did you mean sort?' },
      { path: 'query.filter', message: 'is not a known parameter. The parameters are sort' },
    ]);
    const { query: _, ...without } = ROUTE;
    expect((await refusalOf(VALID, { query, route: without })).issues).toContainEqual({
      path: 'query.sort',
      message: 'is not a known parameter. There are none here',
    });
    const visit: Route = { ...ROUTE, access: { feature: 'search', scope: 'site' } };
    await expect(refusalOf(VALID, { query, route: visit })).rejects.toThrow('the request was accepted');
  });

  it('has an issue for each unknown field, of which it names at most 20', async () => {
    const { issues } = await refusalOf({ ...VALID, nmae: 1, cuont: 2, 'x\ny': 3 });
    expect(issues?.map(({ path }) => path)).toEqual(['body.nmae', 'body.cuont', 'body.x\ny']);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field${n}`, n]));
    expect((await refusalOf({ ...VALID, ...many })).issues).toHaveLength(20);
  });

  it('is not found when only the id is malformed', async () => {
    expect(await refusalOf(VALID, { thingId: 'x' })).toMatchObject({ code: 'not_found', message: 'Not found' });
  });
});
