import type { FetchedPage } from '../fetched-page.ts';

export const PDF_TYPE = 'application/pdf';
const PDF_TYPES: readonly (string | undefined)[] = [PDF_TYPE, 'application/x-pdf'];
/** Types that servers give to files whose type they do not know. */
const UNKNOWN_TYPES: readonly (string | undefined)[] = [
  undefined,
  '',
  'application/octet-stream',
  'binary/octet-stream',
];
const MAGIC = '%PDF-';

/** Returns whether a response is a PDF, by its content type, or by its first bytes if the server names no type. */
export function isPdf({ contentType, body }: Pick<FetchedPage, 'contentType' | 'body'>): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (PDF_TYPES.includes(mediaType)) return true;
  return UNKNOWN_TYPES.includes(mediaType) && Buffer.from(body.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}
