import { RE2JS } from 're2js';
import { matchesGlob } from './glob.ts';
import { normalisePercentEncoding } from './percent-encoding.ts';
import { normaliseUrl, originOf, pathOf } from './url.ts';

const REGEX = 'regex:';
/** An expression that compiles to more instructions takes too long: the time of a match is their number times the URL's length. */
const MOST_INSTRUCTIONS = 2000;

type UrlTest = (url: string) => boolean;

/**
 * Tells whether one of the patterns matches a normalised URL. A pattern is a glob on the whole URL, or on path and query if it
 * starts with a slash, in which `*` stands for any run of characters; behind `regex:` it is a regular expression that is looked
 * for in the whole URL, in linear time. One with a fault matches nothing.
 */
export function urlPatterns(patterns: readonly string[]): UrlTest {
  const tests = patterns.map(urlTest).filter((test) => typeof test !== 'string');
  return (url) => tests.some((test) => test(url));
}

/** Why a pattern cannot be used, or undefined if it can. */
export function patternFault(pattern: string): string | undefined {
  const test = urlTest(pattern);
  return typeof test === 'string' ? test : undefined;
}

/** What a pattern asks of a URL, or its fault. */
function urlTest(pattern: string): UrlTest | string {
  if (pattern.startsWith(REGEX)) return expressionTest(pattern.slice(REGEX.length));
  if (!pattern.startsWith('/')) return globTest(asInUrls(pattern));
  const test = globTest(pathOf(asInUrls(`http://site${pattern}`)));
  return (url) => test(pathOf(url));
}

const TOO_LARGE = 'is too large a regular expression: repeat less';

function expressionTest(expression: string): UrlTest | string {
  if (expression === '') return 'needs a regular expression behind regex:';
  if (expandedLength(expression) > MOST_INSTRUCTIONS) return TOO_LARGE;
  try {
    const compiled = RE2JS.compile(expression);
    return compiled.programSize() > MOST_INSTRUCTIONS ? TOO_LARGE : (url) => compiled.test(url);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `is no regular expression of RE2: ${reason.replace(/^error parsing regexp: /, '')}`;
  }
}

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** About how long an expression is once its counted repetitions are written out: compiling it takes as long. */
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

/** A glob with the spelling of normalised URLs, so that it may be written as an address is read: `https://Köln.example/straße/*`. */
function asInUrls(glob: string): string {
  const whole = glob.includes('*') ? undefined : normaliseUrl(glob);
  if (whole !== undefined) return whole;
  const written = ORIGIN.exec(glob)?.[0] ?? '';
  const origin = originOf(written) ?? written;
  const rest = glob.slice(written.length) || (written && '/');
  return origin + normalisePercentEncoding(rest.toWellFormed().replace(/[^!#-;=?-~]+/g, encodeURIComponent));
}
