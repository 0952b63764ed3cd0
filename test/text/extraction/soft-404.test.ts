import { describe, expect, it } from '@jest/globals';
import { isSoftNotFound } from '../../../lambdas/text/extraction/soft-404.ts';

const page = (title: string, heading = '', text = 'Please go back.') => ({
  title,
  blocks: [
    ...(heading === '' ? [] : [{ kind: 'heading' as const, level: 1 as const, text: heading }]),
    { kind: 'text' as const, text },
  ],
});

describe('a soft 404', () => {
  it.each([
    ['404'],
    ['404 Not Found'],
    ['Error 404'],
    ['404 - Page not found - Example'],
    ['Example | Page not found'],
    ['The requested page could not be found.'],
    ['Seite nicht gefunden – Beispiel'],
    ['Página no encontrada'],
    ['ページが見つかりません'],
  ])('is recognised by its title: %s', (title) => {
    expect(isSoftNotFound(page(title))).toBe(true);
  });

  it('is recognised by its heading', () => {
    expect(isSoftNotFound(page('Example', 'Oops! Page not found'))).toBe(true);
  });

  it.each([['404 Main Street'], ['How we design 404 pages'], ['What is not found here'], ['Example'], ['']])(
    'is not a page with the title %j',
    (title) => {
      expect(isSoftNotFound(page(title))).toBe(false);
    },
  );

  it('is not a page with a long text about the error', () => {
    expect(isSoftNotFound(page('404 Not Found', '', 'The server did not find the resource. '.repeat(40)))).toBe(false);
  });
});
