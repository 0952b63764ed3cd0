import { describe, expect, it } from '@jest/globals';
import { listedUrl } from '../../../lambdas/text/web/listed-url.ts';
import { sameSite } from '../../../lambdas/text/web/same-site.ts';

describe('two URLs', () => {
  it.each([
    ['http://a.example/', 'https://www.a.example/b'],
    ['https://www.a.co.uk/', 'https://shop.a.co.uk/'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:2/'],
    ['http://localhost/', 'https://localhost:8443/'],
    ['http://[::1]:1/', 'http://[::1]:2/'],
    ['https://one.github.io/', 'https://one.github.io/a'],
  ])('%s and %s belong to one site', (a, b) => {
    expect(sameSite(a, b)).toBe(true);
  });

  it.each([
    ['http://a.example/', 'http://b.example/'],
    ['https://a.co.uk/', 'https://b.co.uk/'],
    ['https://one.github.io/', 'https://two.github.io/'],
    ['http://127.0.0.1/', 'http://127.0.0.2/'],
    ['http://localhost/', 'http://127.0.0.1/'],
    ['http://a.example/', 'no URL'],
    ['no URL', 'no URL'],
  ])('%s and %s do not belong to one site', (a, b) => {
    expect(sameSite(a, b)).toBe(false);
  });
});

describe('a listed URL', () => {
  it.each([
    ['http://a.example', 'http://a.example/'],
    ['/b/../c', 'http://site.example/c'],
    [' /b#c ', 'http://site.example/b'],
    ['//other.example/b', 'http://other.example/b'],
  ])('%s becomes %s', (written, url) => {
    expect(listedUrl(written, 'http://site.example/docs/')).toBe(url);
  });

  it.each([
    '',
    'b',
    '?c',
    'not a URL',
    'ftp://a.example/',
    'javascript:alert(1)',
    'http://',
    'http:a',
    'http://u:p@a/',
  ])('is undefined for %p', (written) => {
    expect(listedUrl(written, 'http://site.example/docs/')).toBeUndefined();
  });
});
