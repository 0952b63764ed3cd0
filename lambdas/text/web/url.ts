import { hash } from 'node:crypto';
import { normalisePercentEncoding } from './percent-encoding.ts';

/** Maximum URL length in characters, everywhere. */
export const MAX_URL_LENGTH = 2048;
/** Maximum length of parsed input: normalisation rarely shortens a URL that much. */
const MAX_INPUT = 4 * MAX_URL_LENGTH;

/** Query parameters that record where a visitor came from and do not change the page. */
const TRACKING_PARAMETERS: ReadonlySet<string> = new Set([
  ...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid', '_ga', '_gl'],
  ...['fbclid', 'igsh', 'igshid', 'msclkid', 'twclid', 'ttclid', 'li_fat_id', 'epik', 'rdt_cid', 'sccid'],
  ...['yclid', 'ysclid', '_openstat', 'mc_cid', 'mc_eid', 'mkt_tok', 'vero_id', 'vero_conv', 'oly_anon_id'],
  ...['oly_enc_id', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking'],
]);
const TRACKING_PREFIXES = ['utm_', 'mtm_', 'pk_'] as const;

/**
 * Normalises a URL; undefined if it is not http or https, has credentials or is too long. Drops the fragment and
 * tracking parameters. Keeps what may matter to a server, such as a trailing slash. Idempotent.
 */
export function normaliseUrl(input: string, base?: string): string | undefined {
  const url = input.length > MAX_INPUT ? null : URL.parse(input, base);
  if (url === null || !isWeb(url) || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  const normal = url.origin + normalisePercentEncoding(url.pathname) + normaliseQuery(url);
  return normal.length <= MAX_URL_LENGTH ? normal : undefined;
}

/** Returns scheme, host and port; undefined for anything but an http or https URL. */
export function originOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && isWeb(parsed) ? parsed.origin : undefined;
}

/** Returns everything after the origin of an http or https URL as `URL.href` or `normaliseUrl` writes it. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** Returns the first 16 bytes of the SHA-256 of a URL, as 32 hex digits. */
export function urlHash(url: string): string {
  return hash('sha256', url, 'hex').slice(0, 32);
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function normaliseQuery(url: URL): string {
  const start = url.href.indexOf('?'); // `search` is the same for "/?" and "/"
  if (start < 0) return '';
  const parameters = normalisePercentEncoding(url.href.slice(start + 1)).split('&');
  const kept = parameters.filter((parameter) => !isTracking(parameter));
  return kept.length > 0 ? `?${kept.join('&')}` : '';
}

function isTracking(parameter: string): boolean {
  const name = parameter.split('=', 1)[0]?.toLowerCase() ?? '';
  return TRACKING_PARAMETERS.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}
