import { sameSite } from './same-site.ts';
import { asInUrls, REGEX } from './url-patterns.ts';

const SCHEMES = ['http://', 'https://'];
const ORIGIN = /^https?:\/\/[^/?#*]*/i;

/**
 * Returns why a pattern cannot match any URL of the site, with the correct spelling; undefined if it may match one. The
 * site may move to any origin of its registrable domain, so those count too.
 */
export function reachFault(pattern: string, baseUrl: string): string | undefined {
  if (pattern.startsWith(REGEX)) return undefined;
  const isPath = pattern.startsWith('/');
  if (asInUrls(isPath ? `http://site${pattern}` : pattern).includes('#'))
    return fault('URLs are compared without what follows #', withoutFragment(pattern));
  if (isPath || canMatchSite(pattern, baseUrl)) return undefined;
  const { host, protocol } = new URL(baseUrl);
  const path = pattern.replace(ORIGIN, '');
  if (path !== pattern) return fault(`it names another site than ${host}`, path.startsWith('/') ? path : `/${path}`);
  const named = /^[^/?*]+/.exec(pattern)?.[0] ?? '';
  if (named.includes('.') && sameSite(`https://${named}`, baseUrl))
    return fault('URLs begin with http:// or https://', `${protocol}//${pattern}`);
  if (/^[?.]/.test(pattern)) return fault('a glob matches all of a URL', `*${pattern}`);
  return `${fault('paths begin with a slash', `/${pattern}`)}, or ${quoted(`*${pattern}`)} for a part of any URL`;
}

const fault = (reason: string, spelling: string): string =>
  `can match no URL, because ${reason}; write ${quoted(spelling)}`;

function canMatchSite(pattern: string, baseUrl: string): boolean {
  const [head = '', ...parts] = asInUrls(pattern).split('*');
  if (/^https?:\/\/[^/?]+\//.test(head)) return sameSite(head, baseUrl);
  return parts.length > 0 && SCHEMES.some((scheme) => scheme.startsWith(head) || head.startsWith(scheme));
}

const withoutFragment = (pattern: string): string => pattern.replace(/#.*$/s, '') || '/';

const MAX_QUOTE_LENGTH = 200;
const quoted = (pattern: string): string =>
  `\`${pattern.length > MAX_QUOTE_LENGTH ? `${pattern.slice(0, MAX_QUOTE_LENGTH)}…` : pattern}\``;
