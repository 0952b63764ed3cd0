import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const DAY = 86_400;

describe('crawl schedules', () => {
  let service: TestApi;
  let client: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi();
    client = service.client(service.ready.apiKey);
    siteId = await service.createSite('https://www.example/');
  });
  afterAll(() => service.end());

  const path = (id = siteId) => `/api/sites/${id}/schedules`;
  const set = (frequency: unknown, who = client, id = siteId): Promise<Answer> =>
    who('POST', path(id), { body: { frequency } });
  const siteOf = async (plan: string) => {
    const { apiKey } = await service.makeOrganisation(plan);
    const who = service.client(apiKey);
    const { body } = await who('POST', '/api/sites', { body: { name: 'Test', baseUrl: 'https://www.example/' } });
    return { who, id: String(body.siteId) };
  };

  it('a site has one schedule, which can be replaced, and is first due one interval later', async () => {
    expect((await client('GET', path())).body).toEqual({ schedules: [] });
    const created = await set('hourly');
    expect(created).toMatchObject({ status: 201, body: { frequency: 'hourly', enabled: true, skippedStarts: 0 } });
    const replaced = await set('daily');
    expect(replaced.status).toBe(201);
    expect(replaced.body.id).not.toBe(created.body.id);
    expect(Number(replaced.body.nextStartAt)).toBe(Number(replaced.body.createdAt) + DAY);
    expect((await client('GET', path())).body).toEqual({ schedules: [replaced.body] });
  });

  it('a schedule can be deleted, also twice', async () => {
    await set('weekly');
    for (let time = 0; time < 2; time++)
      expect(await client('DELETE', path())).toMatchObject({ status: 200, body: { success: true } });
    expect((await client('GET', path())).body).toEqual({ schedules: [] });
  });

  it('a schedule needs a known frequency', async () => {
    for (const frequency of ['monthly', '', null, 5, undefined]) {
      const { status, body } = await set(frequency);
      expect([frequency, status, body.code]).toEqual([frequency, 400, 'invalid_request']);
    }
    expect((await client('POST', path())).status).toBe(400);
  });

  it.each([
    ['free', []],
    ['pro', ['daily', 'weekly']],
    ['enterprise', ['hourly', 'daily', 'weekly']],
  ])('of an organisation with the plan %s are %p', async (plan, allowed) => {
    const { who, id } = await siteOf(plan);
    for (const frequency of ['hourly', 'daily', 'weekly']) {
      const { status, body } = await set(frequency, who, id);
      if (allowed.includes(frequency)) expect([frequency, status]).toEqual([frequency, 201]);
      else expect([frequency, status, body.code]).toEqual([frequency, 403, 'plan_required']);
    }
  });

  it('a schedule of another organisation’s site is not found', async () => {
    const { who } = await siteOf('enterprise');
    expect((await who('GET', path())).status).toBe(404);
    expect((await set('daily', who)).status).toBe(404);
    expect((await who('DELETE', path())).status).toBe(404);
  });
});
