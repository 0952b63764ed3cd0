import { normaliseUrl, pathOf } from '../web/url.ts';

/**
 * A pattern is compared with the start of a URL's path, or of the whole URL if it begins with `http`. Its asterisk
 * matches one or more characters other than slashes; these are the value.
 */

type UrlPattern = {
  readonly isWhole: boolean;
  readonly head: string;
  /**
   * The rest of the asterisk's segment, if a slash follows; otherwise all text after the asterisk, behind which the URL
   * may continue freely.
   */
  readonly tail: string;
  readonly rest: string | undefined;
};

const WHOLE = /^https?:\/\//i;

/** Returns why a pattern is refused; undefined if it is valid. */
export function urlPatternFault(pattern: string): string | undefined {
  if (!pattern.startsWith('/') && !WHOLE.test(pattern))
    return 'must begin with a slash, as in /docs/*/, or with https://';
  if (pattern.split('*').length !== 2) return 'must have exactly one asterisk, as in /docs/*/';
  if (/[?#]/.test(pattern)) return 'must have no ? and no #: the pattern is for the path';
  return parse(pattern) ? undefined : 'must be the start of a path or of a URL, as in /docs/*/';
}

/**
 * Returns the text that the asterisk of a valid pattern matches, percent-decoded; undefined if the URL does not match.
 */
export function urlValue(pattern: string, url: string): string | undefined {
  const parsed = parse(pattern);
  const text = parsed?.isWhole ? url : pathOf(url);
  if (!parsed || !text.startsWith(parsed.head)) return undefined;
  const { head, tail, rest } = parsed;
  const path = text.slice(head.length).split(/[?#]/, 1)[0] ?? '';
  const slash = path.indexOf('/');
  const segment = slash < 0 ? path : path.slice(0, slash);
  if (rest !== undefined && (slash < 0 || !path.startsWith(rest, slash) || !segment.endsWith(tail))) return undefined;
  const end = endOfValue(segment, tail, rest !== undefined);
  return end < 1 ? undefined : decoded(segment.slice(0, end));
}

const endOfValue = (segment: string, tail: string, isSegmentEnd: boolean): number =>
  isSegmentEnd || tail === '' ? segment.length - tail.length : segment.indexOf(tail, 1);

/** Parses a pattern, normalised like the URLs of pages. */
function parse(pattern: string): UrlPattern | undefined {
  const isWhole = WHOLE.test(pattern);
  const url = normaliseUrl(isWhole ? pattern : `http://site.invalid${pattern}`);
  if (url === undefined) return undefined;
  const [head, after, more] = (isWhole ? url : pathOf(url)).split('*');
  if (head === undefined || after === undefined || more !== undefined) return undefined;
  const slash = after.indexOf('/');
  return slash < 0
    ? { isWhole, head, tail: after, rest: undefined }
    : { isWhole, head, tail: after.slice(0, slash), rest: after.slice(slash) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
