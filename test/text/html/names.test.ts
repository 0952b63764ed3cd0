import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HtmlNames } from '../../../lambdas/text/html/names.ts';

describe('HtmlNames', () => {
  it('reads any sequence of names in lower case', () => {
    const common = fc.constantFrom('div', 'DIV', 'Div', 'dxv', 'title', 'table', 'time', 'type', 'p', 'P');
    const name = fc.oneof(common, fc.string({ minLength: 1, unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (written) => {
        const html = written.join('');
        const names = new HtmlNames(html);
        let at = 0;
        for (const one of written) {
          expect(names.read(at, at + one.length)).toBe(one.toLowerCase());
          at += one.length;
        }
      }),
    );
  });
});
