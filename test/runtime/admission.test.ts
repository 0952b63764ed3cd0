import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NotFoundError, UnavailableError } from '../../lambdas/domain/errors.ts';
import type { Count, Key } from '../../lambdas/domain/ports/table.ts';
import type { Route } from '../../lambdas/routes/route.ts';
import { routes } from '../../lambdas/routes.ts';
import { Admission } from '../../lambdas/runtime/admission.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';

const DEFAULTS = { searchPerAddress: 60, chatPerAddress: 20, perKey: 1000, ingestPerKey: 60, mostPerAddress: 1000 };
const SITE = '01890000-0000-7000-8000-000000000001';
const search: Route = routes['search-site'];
const chat: Route = routes['chat-with-site'];

type Change = { readonly headers?: Readonly<Record<string, string>>; readonly identity?: object };

const eventOf = ({ headers = {}, identity = {} }: Change = {}): ApiEvent =>
  ({
    headers,
    pathParameters: { siteId: SITE },
    requestContext: { requestId: 'r', identity: { sourceIp: '198.51.100.1', ...identity } },
  }) as unknown as ApiEvent;

function admissionOn(count: (counter: Key, count: Count) => Promise<number | undefined>): Admission {
  return new Admission({
    table: { count },
    clock: () => 90_000,
    defaults: DEFAULTS,
    nameOf: async (counter) => counter,
  });
}

describe('a call that goes through the edge', () => {
  const edge = { 'X-Client-IP': '203.0.113.7', 'x-api-key': 'secret' };

  it.each<[string, Change, string]>([
    [
      'the address that the edge states, if the gateway found its key',
      { headers: edge, identity: { apiKeyId: 'k' } },
      '203.0.113.7',
    ],
    ['the sender, if it did not', { headers: edge }, '198.51.100.1'],
    ['the sender, if the edge states none', { identity: { apiKeyId: 'k' } }, '198.51.100.1'],
    [
      'the sender, whatever proxies say',
      { headers: { 'X-Forwarded-For': '203.0.113.7' }, identity: { apiKeyId: 'k' } },
      '198.51.100.1',
    ],
  ])('counts against %s', async (_, change, address) => {
    const counters: string[] = [];
    const admission = admissionOn(async ({ pk }) => counters.push(pk));
    await admission.admit(search, eventOf(change), async () => undefined);
    expect(new Set(counters)).toEqual(new Set([`RATE#ADDRESS#${address}#search`]));
  });

  it('a call that goes through the edge is counted while it is authorized', async () => {
    const authorized = Promise.withResolvers<void>();
    const counted = Promise.withResolvers<void>();
    const admission = admissionOn(async (_, { by }) => {
      if (by > 0) counted.resolve();
      return by;
    });
    const admitted = admission.admit(search, eventOf(), () => authorized.promise);
    await counted.promise;
    authorized.resolve();
    await admitted;
  });
});

describe('a call whose counter cannot be written', () => {
  const failing = () => admissionOn(() => Promise.reject(new UnavailableError('no table')));
  const standing = { perMinute: 60, remaining: 60, resetsAt: 120_000, isUnknown: true };
  const logged = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  afterEach(() => void logged.mockClear());

  it('a search whose counter cannot be written is admitted, and the log says so', async () => {
    const event = eventOf();
    await failing().admit(search, event, async () => undefined);
    expect(event.standing).toEqual(standing);
    expect(logged.mock.calls.join()).toContain('a rate limit could not be checked');
  });

  it('a chat whose counter cannot be written is refused', async () => {
    const refused = failing().admit(chat, eventOf(), async () => undefined);
    await expect(refused).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  it('a call without access is refused for that reason, even if its counter cannot be written', async () => {
    const refused = failing().admit(chat, eventOf(), () => Promise.reject(new NotFoundError('Site')));
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });
});
