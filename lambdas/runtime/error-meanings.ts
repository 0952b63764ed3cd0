import type { ErrorCode } from '../domain/errors.ts';
import { HTTP_STATUS } from './http-errors.ts';

type Meaning = { readonly meaning: string; readonly remedy: string };

/** The meaning of every code, and what to do about it, for developers of clients. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, Meaning>> = {
  invalid_request: {
    meaning: 'A parameter or a field of the body is missing or wrong.',
    remedy: 'Correct what `issues` lists.',
  },
  invalid_json: { meaning: 'The body is not JSON in UTF-8.', remedy: 'Correct the body.' },
  unknown_filter_field: {
    meaning: 'A filter or facet names a field that the site does not have.',
    remedy: 'Use a field of its `metadataSchema` or a built-in one.',
  },
  pattern_too_broad: {
    meaning: 'A delete pattern matches every page.',
    remedy: 'Name the host in the pattern, or purge the site.',
  },
  review_not_pending: {
    meaning: 'The review was decided or replaced before.',
    remedy: 'Read the list of reviews again.',
  },
  urls_unavailable: {
    meaning: 'The URLs of the review can no longer be read, so nothing is deleted.',
    remedy: 'Reject it and crawl again.',
  },
  address_mismatch: {
    meaning: 'The address of the site has changed since the review was made.',
    remedy: 'Reject it and crawl again.',
  },
  unauthorized: {
    meaning: 'The API key is missing, malformed, unknown, revoked or expired.',
    remedy: 'Send a valid key as `Authorization: Bearer <API_KEY>`.',
  },
  plan_limit: {
    meaning: 'The plan of the organisation does not include more of this.',
    remedy: 'Delete what is not needed, or change the plan.',
  },
  plan_required: {
    meaning: 'The plan of the organisation does not include this operation.',
    remedy: 'Change the plan.',
  },
  forbidden_role: {
    meaning: 'The role of the key is too low for this operation.',
    remedy: 'Use a key with the role that the message names.',
  },
  origin_not_allowed: {
    meaning: 'The website that sent the request may not use this site or group.',
    remedy: 'The owner can add its origin to `allowedDomains`.',
  },
  feature_disabled: {
    meaning: 'Public access, search or chat is off for this site or group.',
    remedy: 'The owner can turn it on in `publicAccess`.',
  },
  not_found: {
    meaning: 'There is no such path or resource, or it belongs to another organisation.',
    remedy: 'Check the path and the id.',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method.',
    remedy: 'Use a method of the header `Allow`.',
  },
  request_timeout: { meaning: 'The request did not arrive in time.', remedy: 'Send it again.' },
  crawl_running: {
    meaning: 'A crawl of the site is running.',
    remedy: 'Wait for its end, or cancel it.',
  },
  last_owner_key: {
    meaning: 'The key is the last one with the role owner, without which nobody could make keys.',
    remedy: 'Create another owner key first, or revoke it with `npm run admin`.',
  },
  review_changed: {
    meaning: 'The review was changed by another request at the same time.',
    remedy: 'Read it again.',
  },
  sweep_running: {
    meaning: 'Pages of the site are being removed after an earlier approval.',
    remedy: 'Try again when that has ended.',
  },
  payload_too_large: {
    meaning:
      'The body is larger than the message says, decompressed: 4.4 MB, or 64 MB of pages on a server of your own.',
    remedy: 'Send smaller batches.',
  },
  unsupported_media_type: {
    meaning: 'The body is neither JSON nor gzip of JSON, by its headers.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  wrong_host: {
    meaning: 'The service on a laptop was called under a foreign host name.',
    remedy: 'Call it as localhost.',
  },
  rate_limited: {
    meaning: 'There were too many calls in the last 60 seconds.',
    remedy: 'Wait for `retryAfter` seconds.',
  },
  headers_too_large: {
    meaning: 'The address and the headers of the request are too long.',
    remedy: 'Send long queries by POST.',
  },
  usage_unavailable: {
    meaning: 'The figures of the month cannot be read for now.',
    remedy: 'Try again in a few seconds.',
  },
  internal_error: {
    meaning: 'The service failed unexpectedly.',
    remedy: 'Try again later, and report the `X-Request-Id`.',
  },
  store_damaged: {
    meaning: 'The data file of a service on a laptop or server is damaged.',
    remedy: 'The operator has to restore a backup.',
  },
  disk_full: {
    meaning: 'The disk of a service on a laptop or server is full.',
    remedy: 'The operator has to free some space. Then try again.',
  },
  address_unverified: {
    meaning: 'The address of the site cannot be looked up for now. Nothing was changed.',
    remedy: 'Try again in a few seconds.',
  },
  search_unavailable: {
    meaning: 'The search index does not answer.',
    remedy: 'Try again in a few seconds.',
  },
  upstream_unavailable: {
    meaning: 'Something that the service depends on does not answer.',
    remedy: 'Try again in a few seconds.',
  },
};

/** Returns all codes as a Markdown list. */
export function errorList(): string {
  const codes = Object.keys(HTTP_STATUS) as readonly ErrorCode[];
  const line = (code: ErrorCode) => {
    const { meaning, remedy } = ERROR_MEANINGS[code];
    return `- \`${code}\` (${HTTP_STATUS[code]}): ${meaning} ${remedy}`;
  };
  return codes.map(line).join('\n');
}
