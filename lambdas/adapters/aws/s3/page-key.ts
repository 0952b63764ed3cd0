import type { PageAddress } from '../../../core/ports/page-store.ts';

/** So many that the keys of a site stand in the order of their generations. */
const DIGITS = 16;

/** The object that holds a page: its site, generation, URL and revision. */
export function keyOf({ siteId, generation, urlHash, revision }: PageAddress): string {
  return `${sitePrefix(siteId)}${String(generation).padStart(DIGITS, '0')}/${urlHash}/${revision}.json.gz`;
}

export const sitePrefix = (siteId: string): string => `${siteId}/`;

export function generationOf(siteId: string, key: string): number {
  return Number(key.slice(sitePrefix(siteId).length).split('/', 1)[0]);
}
