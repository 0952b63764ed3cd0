import { describe, expect, it } from '@jest/globals';
import { limitsOf, type RateLimitSubject } from '../../../../lambdas/domain/sites/limits/limit.ts';

const DEFAULTS = { searchPerAddress: 60, chatPerAddress: 20, perKey: 1000, ingestPerKey: 61, mostPerAddress: 500 };
const of = (counted: RateLimitSubject) =>
  limitsOf(counted, '203.0.113.7', DEFAULTS).map(({ counter, perMinute }) => `${counter} ${perMinute}`);
const at = (rateLimits: object) => ({ place: { id: 'S', rateLimits } });

describe('the limits of a call', () => {
  it.each<[string, RateLimitSubject, readonly string[]]>([
    ['a search', { call: 'search' }, ['ADDRESS#203.0.113.7#search 60']],
    ['a search of a site', { call: 'search', ...at({}) }, ['ADDRESS#203.0.113.7#search 60']],
    ['a suggestion', { call: 'suggest', ...at({}) }, ['ADDRESS#203.0.113.7#suggest 240']],
    ['an event', { call: 'event', ...at({}) }, ['ADDRESS#203.0.113.7#event 60']],
    ['a chat', { call: 'chat', ...at({}) }, ['ADDRESS#203.0.113.7#chat 20']],
    ['no valid key', 'anonymous', ['ADDRESS#203.0.113.7#api 1000']],
    ['a page or file', 'page', ['ADDRESS#203.0.113.7#page 10000']],
    ['the state of the service', 'health', ['ADDRESS#203.0.113.7#health 1000']],
    ['a key', { keyId: 'K', orgId: 'O', ingests: false }, ['KEY#K#api 1000', 'ORG#O#api 10000']],
    [
      'an ingestion',
      { keyId: 'K', orgId: 'O', ingests: true },
      ['KEY#K#ingest 61', 'KEY#K#api 1000', 'ORG#O#ingest 610'],
    ],
  ])('of %s are the defaults', (_, counted, limits) => expect(of(counted)).toEqual(limits));

  it.each<[string, RateLimitSubject, readonly string[]]>([
    [
      'a search',
      { call: 'search', ...at({ searchPerMinute: 100, chatPerMinute: 9, perIpPerMinute: 70 }) },
      ['ADDRESS#203.0.113.7#search#S 70', 'PLACE#S#search 100'],
    ],
    [
      'a suggestion',
      { call: 'suggest', ...at({ searchPerMinute: 100, perIpPerMinute: 7 }) },
      ['ADDRESS#203.0.113.7#suggest#S 28', 'PLACE#S#suggest 400'],
    ],
    [
      'a site without one of its own for addresses',
      { call: 'search', ...at({ searchPerMinute: 5 }) },
      ['ADDRESS#203.0.113.7#search 60', 'PLACE#S#search 5'],
    ],
    [
      'a chat, for addresses at most the default',
      { call: 'chat', ...at({ searchPerMinute: 100, chatPerMinute: 9, perIpPerMinute: 70 }) },
      ['ADDRESS#203.0.113.7#chat#S 20', 'PLACE#S#chat 9'],
    ],
    [
      'a search, for addresses at most those of the operator',
      { call: 'search', ...at({ perIpPerMinute: 1_000_000 }) },
      ['ADDRESS#203.0.113.7#search#S 500'],
    ],
    ['a chat with fewer calls', { call: 'chat', ...at({ perIpPerMinute: 7 }) }, ['ADDRESS#203.0.113.7#chat#S 7']],
  ])('of %s are those of the site', (_, counted, limits) => expect(of(counted)).toEqual(limits));

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['203.0.113.7, 198.51.100.1', 'unknown'],
    ['localhost', 'unknown'],
  ])('of the address %s count %s', (address, network) => {
    expect(limitsOf('anonymous', address, DEFAULTS)[0].counter).toBe(`ADDRESS#${network}#api`);
  });

  it('the limits of an IPv6 address include those of its /48, ten times as high', () => {
    const limits = limitsOf({ call: 'search' }, '2001:db8:1:2::9', DEFAULTS);
    expect(limits).toEqual([
      { counter: 'ADDRESS#2001:db8:1:2::/64#search', perMinute: 60 },
      { counter: 'ADDRESS#2001:db8:1::/48#search', perMinute: 600 },
    ]);
  });
});
