import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';

describe('the function of the pages at the edge', () => {
  const context = createContext({});
  runInContext(readFileSync(new URL('../../lib/edge/page-request.js', import.meta.url), 'utf8'), context);
  const fileOf = (uri: string): string => context.handler({ request: { uri, headers: {} } }).uri;

  it.each([
    ['/', '/index.html'],
    ['/docs', '/docs/index.html'],
    ['/docs/', '/docs/index.html'],
    ['/app', '/app/index.html'],
    ['/app/', '/app/index.html'],
    ['/app/sites/1/pages', '/app/index.html'],
    ['/app/a.b/pages', '/app/index.html'],
  ])('finds the page of %s in %s', (uri, file) => {
    expect(fileOf(uri)).toBe(file);
  });

  it.each([
    ...['/docs/openapi.json', '/docs/assets/index-D3-xUMzE.js', '/docs/nothing', '/docsheet', '/apple'],
    ...['/app/assets/index-BU3Ybba_.js', '/app/index.html', '/app/nothing.js'],
  ])('leaves %s as it is', (uri) => {
    expect(fileOf(uri)).toBe(uri);
  });
});
