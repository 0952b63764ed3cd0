import { RE2JS } from 're2js';
import { matchesGlob } from './glob.ts';
import { normalisePercentEncoding } from './percent-encoding.ts';
import { normaliseUrl, originOf, pathOf } from './url.ts';

export const REGEX = 'regex:';
/** Maximum size of a pattern. A match takes time proportional to the number of instructions times the URL's length. */
const MAX_INSTRUCTIONS = 2000;

type UrlTest = (url: string) => boolean;

/**
 * Returns a test of whether one of the patterns matches a normalised URL. A pattern is a glob (`*`: any run of
 * characters) on the whole URL, or on path and query if it starts with a slash. After `regex:` it is a regular
 * expression that may match anywhere in the URL, in linear time. An invalid pattern matches nothing.
 */
export function urlPatterns(patterns: readonly string[]): UrlTest {
  const tests = patterns.map(urlTest).filter((test) => typeof test !== 'string');
  return (url) => tests.some((test) => test(url));
}

/** Returns why a pattern is invalid; undefined if it is valid. */
export function patternFault(pattern: string): string | undefined {
  const test = urlTest(pattern);
  return typeof test === 'string' ? test : undefined;
}

/** Parts of a regular expression that represent no particular character. An escaped literal is captured. */
const NOT_LITERAL = new RegExp(
  [
    String.raw`(\\[^a-zA-Z/])`,
    String.raw`\\[pP](?:\{[^}]*\}|.)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]`, // classes
    String.raw`\{\d+(?:,\d*)?\}`,
    String.raw`\(\?[^:>)]*[:>)]`, // options, or the name of a group
    '[$()*+./?^|]',
  ].join('|'),
  'gsu',
);

/** Two paths, and for each scheme two URLs, that share no character: a pattern that matches both is too general. */
const UNLIKE_PATHS = ['/fly', '/jinx/qaz'] as const;
const UNLIKE_URLS = ['http', 'https'].map((scheme) => [`${scheme}://bud.gom/fly`, `${scheme}://kwv.ser/jinx/qaz`]);

/**
 * Returns whether a valid pattern would match all pages of a site by accident: it matches pages that have nothing in
 * common, and does not name the site's host. `origins` are those of the site.
 */
export function isTooBroad(pattern: string, origins: readonly string[]): boolean {
  if (hasNoLiteral(pattern)) return true;
  const test = urlPatterns([pattern]);
  const ownUrls = origins
    .filter((origin) => !namesHost(pattern, new URL(origin).hostname))
    .map((origin) => UNLIKE_PATHS.map((path) => origin + path));
  return [...UNLIKE_URLS, ...ownUrls].some((urls) => urls.every(test));
}

function namesHost(pattern: string, hostname: string): boolean {
  const text = pattern.startsWith(REGEX) ? pattern.replaceAll('\\', '') : asInUrls(pattern);
  return text.toLowerCase().includes(hostname);
}

/** Returns whether a pattern has no literal character besides slashes, or is an expression that matches any URL. */
function hasNoLiteral(pattern: string): boolean {
  if (!pattern.startsWith(REGEX)) return pattern.includes('*') && /^[*/]*$/.test(pattern);
  const expression = pattern.slice(REGEX.length);
  return expression.replace(NOT_LITERAL, '$1') === '' || urlPatterns([pattern])('');
}

/** Returns the compiled pattern, or why it is invalid. */
function urlTest(pattern: string): UrlTest | string {
  if (pattern.startsWith(REGEX)) return expressionTest(pattern.slice(REGEX.length));
  if (!pattern.startsWith('/')) return globTest(asInUrls(pattern));
  const test = globTest(pathOf(asInUrls(`http://site${pattern}`)));
  return (url) => test(pathOf(url));
}

const TOO_LARGE = 'is too large a regular expression: repeat less';

function expressionTest(expression: string): UrlTest | string {
  if (expression === '') return 'needs a regular expression behind regex:';
  if (expandedLength(expression) > MAX_INSTRUCTIONS) return TOO_LARGE;
  try {
    const compiled = RE2JS.compile(expression);
    return compiled.programSize() > MAX_INSTRUCTIONS ? TOO_LARGE : (url) => compiled.test(url);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `is no regular expression of RE2: ${reason.replace(/^error parsing regexp: /, '')}`;
  }
}

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/**
 * Returns the approximate length of an expression with its counted repetitions expanded, to which compile time is
 * proportional.
 */
function expandedLength(expression: string): number {
  const outer: number[] = [];
  let length = 0;
  let last = 0; // of the element that a repetition would repeat
  for (const [token, least, most] of expression.matchAll(TOKEN)) {
    if (token === '(') {
      outer.push(length);
      length = 0;
    } else if (token === ')') {
      last = length + 1;
      length = (outer.pop() ?? 0) + last;
    } else if (least !== undefined) {
      const more = last * Math.max(Number(least), Number(most ?? 0));
      length += more;
      last += more;
    } else {
      last = 1;
      length++;
    }
  }
  return outer.reduce((sum, before) => sum + before, length);
}

function globTest(pattern: string): UrlTest {
  const [head = '', ...parts] = pattern.split('*');
  return (text) => matchesGlob({ head, parts, anchored: true }, text);
}

const ORIGIN = /^https?:\/\/[^/?#*]+(?=$|[/?#])/i;

/** Normalises a glob in the same way as URLs, so that `https://Köln.example/straße/*` works. */
export function asInUrls(glob: string): string {
  const whole = glob.includes('*') ? undefined : normaliseUrl(glob);
  if (whole !== undefined) return whole;
  const written = ORIGIN.exec(glob)?.[0] ?? '';
  const origin = originOf(written) ?? written;
  const rest = glob.slice(written.length) || (written && '/');
  return origin + normalisePercentEncoding(rest.toWellFormed().replace(/[^!#-;=?-~]+/g, encodeURIComponent));
}
