import { describe, expect, it } from '@jest/globals';
import { parameterPages, withParameterTable } from '../bin/guide-tables.ts';
import { OUTCOMES } from '../lambdas/domain/crawl/jobs/outcomes.ts';
import { NEW_CRAWLER_CONFIG, NEW_REMOVAL_POLICY } from '../lambdas/domain/sites/site-settings.ts';
import { Environment } from '../lambdas/env.ts';
import { patternFault, urlPatterns } from '../lambdas/text/web/url-patterns.ts';
import { ROBOTS_TOKEN, userAgent } from '../lambdas/text/web/user-agent.ts';
import { codeIn, guidePages, guideText, tableRows } from './support/guide-documents.ts';

describe('the guide', () => {
  it('the index lists each page of the guide', () => {
    const index = guideText('README.md');
    for (const page of guidePages.filter((name) => name !== 'README.md')) expect(index).toContain(`](${page})`);
  });

  it('lists every outcome with every reason, in the order of the code, and what to do', () => {
    const rows = tableRows('outcomes.md', 'Outcome');
    const expected = Object.entries(OUTCOMES).flatMap(([outcome, reasons]) =>
      reasons.length > 0 ? reasons.map((reason) => [outcome, reason]) : [[outcome]],
    );
    expect(rows.map(([outcome, reason]) => [...codeIn(outcome), ...codeIn(reason)])).toEqual(expected);
    for (const row of rows) expect(row.slice(2).every((cell) => cell !== '')).toBe(true);
  });

  it('the guide shows which patterns match and which do not', () => {
    const rows = tableRows('crawl-settings.md', 'Pattern');
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const [pattern = '', match = '', other = ''] = row.flatMap(codeIn);
      const test = urlPatterns([pattern]);
      expect([pattern, patternFault(pattern), test(match), test(other)]).toEqual([pattern, undefined, true, false]);
    }
  });

  it.each(parameterPages)('%s has the parameters that the routes have', (page) => {
    expect(withParameterTable(page, guideText(page))).toBe(guideText(page));
  });

  it('the guide states the settings of a new site', () => {
    const rows = ['crawl-settings.md', 'removals.md'].flatMap((page) => tableRows(page, 'Field'));
    for (const [field, value] of Object.entries({ ...NEW_CRAWLER_CONFIG, ...NEW_REMOVAL_POLICY })) {
      const [, meaning = ''] = rows.find(([name]) => name === `\`${field}\``) ?? [];
      if (!Array.isArray(value)) expect(meaning.replaceAll('`', '')).toContain(`; ${value} for a new site`);
    }
  });

  it('lists every environment variable with its default', () => {
    const rows = tableRows('environment.md', 'Variable');
    expect(rows.flatMap(([name]) => codeIn(name)).toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
    const defaults = Environment.parse({});
    for (const [name, , shown = ''] of rows) {
      const value = defaults[codeIn(name)[0] as keyof typeof defaults];
      if (typeof value === 'number') expect([name, Number(shown)]).toEqual([name, value]);
    }
  });

  it('the guide names the crawler by its user agent', () => {
    const text = guideText('crawler.md');
    expect(text).toContain(`\`${userAgent(undefined)}\``);
    expect(text).toContain(`User-agent: ${ROBOTS_TOKEN}`);
  });
});
