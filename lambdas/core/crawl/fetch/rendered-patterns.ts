import type { Key, Table } from '../../ports/table.ts';
import { pathOf } from '../../web/url.ts';

/*
 * The URL patterns of a site whose pages get their text from scripts: a path with `*` in place of its last name. They
 * are learned again if they are lost, so concurrent crawls may overwrite each other's.
 */

const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 300;
const LAST_NAME = /[^/]+(\/?)$/;

const patternsKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'RENDERED' });

/** Pages of one template usually differ in the last name of their path, and in the query. */
export const urlPattern = (url: string): string => (pathOf(url).split('?', 1)[0] ?? '').replace(LAST_NAME, '*$1');

export async function readPatterns(siteId: string, table: Table): Promise<readonly string[]> {
  return (await table.get<{ patterns: readonly string[] }>(patternsKey(siteId)))?.patterns ?? [];
}

export async function writePatterns(siteId: string, patterns: readonly string[], table: Table): Promise<void> {
  const kept = patterns.filter((pattern) => pattern.length <= LONGEST_PATTERN).slice(-MOST_PATTERNS);
  await table.putMany([{ ...patternsKey(siteId), patterns: kept }]);
}
