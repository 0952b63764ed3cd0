import { AppError, type Issue } from '../errors.ts';
import type { CrawlerConfig } from './site-settings.ts';

type Patterns = { readonly [List in 'includePatterns' | 'excludePatterns']?: CrawlerConfig[List] | undefined };

/** Returns the patterns that can match no URL of the site, with their path in the configuration and the reason. */
export async function patternFaults(
  { includePatterns = [], excludePatterns = [] }: Patterns,
  baseUrl: string,
): Promise<readonly (Issue & { readonly pattern: string })[]> {
  const lists = Object.entries({ includePatterns, excludePatterns });
  if (lists.every(([, patterns]) => patterns.length === 0)) return [];
  const { reachFault } = await import('../../text/web/pattern-reach.ts'); // loads a large engine
  return lists.flatMap(([list, patterns]) =>
    patterns.flatMap((pattern, index) => {
      const message = reachFault(pattern, baseUrl);
      return message === undefined ? [] : { path: `${list}.${index}`, message, pattern };
    }),
  );
}

/** Rejects new patterns that can match nothing. Earlier patterns may have made sense for another base URL. */
export async function assertPatternsReach(
  given: Patterns,
  { baseUrl, part, before = {} }: { readonly baseUrl: string; readonly part: string; readonly before?: Patterns },
): Promise<void> {
  const known = new Set([...(before.includePatterns ?? []), ...(before.excludePatterns ?? [])]);
  const issues = (await patternFaults(given, baseUrl))
    .filter(({ pattern }) => !known.has(pattern))
    .map(({ path, message }) => ({ path: `${part}.${path}`, message }));
  const [first] = issues;
  if (first) throw new AppError('invalid_request', `Invalid request: ${first.path} ${first.message}`, { issues });
}
