import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';

type Headers = Readonly<Record<string, { readonly value: string }>>;
type Request = { readonly uri: string; readonly headers: Headers };

describe('the function at the edge', () => {
  const context = createContext({});
  runInContext(readFileSync(new URL('../../lib/edge/viewer-request.js', import.meta.url), 'utf8'), context);
  const seen = (headers: Record<string, string>, uri = '/v1/public/sites/1/search'): Request => {
    const request = {
      uri,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
    };
    return context.handler({ request, viewer: { ip: '203.0.113.7' } });
  };
  const originOf = (headers: Record<string, string>) => seen(headers).headers['x-effective-origin']?.value;

  it('sets the effective origin to the Origin header, else to the origin of the referer, else drops it', () => {
    expect(originOf({ origin: 'https://a.example', referer: 'https://b.example/page' })).toBe('https://a.example');
    expect(originOf({ referer: 'https://b.example:8443/page/?x=/1' })).toBe('https://b.example:8443');
    expect(originOf({ origin: 'null' })).toBe('null');
    expect(originOf({})).toBeUndefined();
  });

  it('replaces the address and the effective origin that the client sent', () => {
    const { headers } = seen({ 'x-client-ip': '127.0.0.1', 'x-effective-origin': 'https://trusted.example' });
    expect(headers).toEqual({ 'x-client-ip': { value: '203.0.113.7' } });
  });

  it('removes a trailing slash', () => {
    expect(seen({}, '/api/sites/').uri).toBe('/api/sites');
    expect(seen({}, '/').uri).toBe('/');
  });
});
