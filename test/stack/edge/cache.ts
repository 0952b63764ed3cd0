import type { CacheRules } from './distribution.ts';
import type { ViewerRequest } from './viewer-request.ts';

export type EdgeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** The cache of one edge location. */
export class EdgeCache {
  readonly #entries = new Map<string, EdgeAnswer & { readonly until: number }>();

  get(key: string): EdgeAnswer | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > performance.now() ? entry : undefined;
  }

  put(key: string, answer: EdgeAnswer, seconds: number): void {
    if (seconds > 0) this.#entries.set(key, { ...answer, until: performance.now() + seconds * 1000 });
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** Returns what two requests must have in common to get the same cached answer. */
export function cacheKey({ uri, headers }: ViewerRequest, query: URLSearchParams, rules: CacheRules): string {
  const asked = [...query].filter(([name]) => rules.queryNames.includes(name));
  return JSON.stringify([uri, asked, rules.headers.map((name) => headers[name]), acceptedEncoding(headers, rules)]);
}

/** CloudFront normalises the header to what it can store. */
export const acceptedEncoding = (headers: Readonly<Record<string, string>>, { encodings }: CacheRules): string =>
  encodings.filter((name) => headers['accept-encoding']?.includes(name)).join(',');

/** Returns the time for which an answer may be cached, with a default of 0 s. */
export function secondsToKeep({ headers }: EdgeAnswer, { minSeconds, maxSeconds }: CacheRules): number {
  const control = headers['cache-control'] ?? '';
  if (/no-store|no-cache|private/.test(control)) return minSeconds;
  const stated = /s-maxage=(\d+)/.exec(control)?.[1] ?? /max-age=(\d+)/.exec(control)?.[1] ?? '0';
  return Math.min(Math.max(Number(stated), minSeconds), maxSeconds);
}
