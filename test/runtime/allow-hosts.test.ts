import { describe, expect, it } from '@jest/globals';
import { allowHosts, scriptHosts } from '../../lambdas/runtime/allow-hosts.ts';

const privateHost = '127.0.0.1:8787';

describe('a private host that a site may crawl', () => {
  it('may be fetched for the site', () => {
    expect(allowHosts({ privateHost })).toEqual([privateHost]);
    expect(allowHosts({})).toEqual([]);
  });

  it('is reached by scripts of a site on it, and not by those of a public one', () => {
    expect(scriptHosts({ privateHost, baseUrl: `http://${privateHost}/demo/` })).toEqual([privateHost]);
    expect(scriptHosts({ privateHost, baseUrl: 'https://public.example/' })).toEqual([]);
  });
});
