import type { PageAddress } from '../../../core/ports/page-store.ts';

/** Zero-padded to 16 digits, so that S3's key order is the order of generations. */
const GENERATION_DIGITS = 16;

export function pageKey({ siteId, generation, urlHash, revision }: PageAddress): string {
  return `${sitePrefix(siteId)}${String(generation).padStart(GENERATION_DIGITS, '0')}/${urlHash}/${revision}.json.gz`;
}

export const sitePrefix = (siteId: string): string => `${siteId}/`;

export function generationOf(siteId: string, key: string): number {
  return Number(key.slice(sitePrefix(siteId).length).split('/', 1)[0]);
}
