import { describe, expect, it } from '@jest/globals';
import { allowedHosts } from '../../../lambdas/text/web/allowed-hosts.ts';

describe('allowedHosts', () => {
  it.each([
    ['localhost', 'http://localhost:8080/', true],
    ['LOCALHOST', 'https://localhost/', true],
    ['localhost:8080', 'http://localhost:8080/', true],
    ['localhost:8080', 'http://localhost:8081/', false],
    ['localhost:80', 'http://localhost/', true],
    ['localhost:0080', 'http://localhost/', true],
    ['localhost:80', 'https://localhost/', false],
    ['localhost:443', 'https://localhost/', true],
    ['127.0.0.1', 'http://127.1/', true],
    ['127.0.0.1', 'http://localhost/', false],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/', false],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['[::1]', 'http://[::1]/', true],
    ['::1', 'http://[::1]:8080/', true],
    ['intranet.example', 'http://www.intranet.example/', false],
    ['example', 'http://intranet.example/', false],
    [' a.example ', 'http://a.example/', true],
    ['', 'http://localhost/', false],
    ['*', 'http://localhost/', false],
    ['http://localhost', 'http://localhost/', false],
    ['localhost/', 'http://localhost/', false],
    ['user@localhost', 'http://localhost/', false],
    ['localhost:99999999', 'http://localhost/', false],
  ])('%j admits %s: %s', (entry, url, admitted) => {
    expect(allowedHosts([entry])(new URL(url))).toBe(admitted);
  });
});
