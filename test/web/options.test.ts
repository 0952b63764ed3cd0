import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ATTRIBUTES, htmlOf, VARIABLES } from '../../web/widgets/options.ts';
import { codeIn, guideText, tableRows } from '../support/guide-documents.ts';

const css = globSync('web/widgets/**/*.css')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const variables = Object.keys(VARIABLES).map((name) => `--site-search-${name}`);

describe('the options of the widgets', () => {
  it('are the variables that the style sheets have', () => {
    expect(variables.toSorted()).toEqual([...new Set(css.match(/--site-search-[\w-]+/g))].toSorted());
  });

  it('are in the guide', () => {
    const attributes = tableRows('search-box.md', 'Attribute').flatMap(([name]) => codeIn(name));
    expect(attributes.toSorted()).toEqual(ATTRIBUTES.map(({ name }) => name).toSorted());
    const described = tableRows('search-box.md', 'Variables').flatMap(([name]) => codeIn(name));
    expect(described.toSorted()).toEqual(variables.toSorted());
  });

  it('the parts of the guide are those of the code', () => {
    const code = globSync('web/widgets/**/*.ts')
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const [, list = ''] = /^Parts for [^:]+:+part\(\)`: (.+?)\.\n/ms.exec(guideText('search-box.md')) ?? [];
    const parts = codeIn(list);
    expect(parts.length).toBeGreaterThan(20);
    expect(parts.filter((part) => !new RegExp(`part="${part}"|make\\('\\w+', '${part}'`).test(code))).toEqual([]);
  });

  it('become a line of HTML without empty attributes', () => {
    expect(htmlOf('page', { site: 's1', facets: '', filters: '{"a": "b&c"}' })).toBe(
      '<site-search-page site="s1" filters="{&quot;a&quot;: &quot;b&amp;c&quot;}"></site-search-page>',
    );
  });
});
