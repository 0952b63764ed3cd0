import type { SiteScope } from '../../domain/ports/page-index.ts';
import type { PageAddress } from '../../domain/ports/page-store.ts';

/** Zero-padded to 16 digits, so that S3's key order is the order of generations. */
const GENERATION_DIGITS = 16;

const ENDING = '.json.gz';

export const objectKey = ({ urlHash, revision, ...site }: PageAddress): string =>
  `${objectPrefix(site)}${urlHash}/${revision}${ENDING}`;

export const objectPrefix = ({ siteId, generation }: SiteScope): string =>
  `${sitePrefix(siteId)}${String(generation).padStart(GENERATION_DIGITS, '0')}/`;

export function addressOf({ siteId, generation }: SiteScope, key: string): PageAddress {
  const [urlHash = '', name = ''] = key.slice(objectPrefix({ siteId, generation }).length).split('/');
  return { siteId, generation, urlHash, revision: Number(name.slice(0, -ENDING.length)) };
}

export const sitePrefix = (siteId: string): string => `${siteId}/`;

export function generationOf(siteId: string, key: string): number {
  return Number(key.slice(sitePrefix(siteId).length).split('/', 1)[0]);
}
