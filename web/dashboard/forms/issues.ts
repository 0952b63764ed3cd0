import { SearchError } from '../../../packages/client/src/search-error.ts';

/** Says what the service finds wrong at a field. */
export type ErrorAt = (path: string) => string | undefined;

/** Returns the faults at a path of the body, such as `crawlerConfig.maxPages`, and at the entries of a list below it. */
export function issuesIn(error: unknown): ErrorAt {
  const issues = error instanceof SearchError ? error.issues : [];
  return (path) => {
    const found = issues.flatMap((issue) => {
      const at = issue.path.replace(/^body\./, '');
      if (at === path) return [issue.message];
      return at.startsWith(`${path}.`) ? [`${placeOf(at.slice(path.length + 1))}: ${issue.message}`] : [];
    });
    return found.length === 0 ? undefined : found.join(' · ');
  };
}

/** `3` is the fourth entry of a list, for people. */
const placeOf = (rest: string): string => rest.replace(/^\d+/, (index) => String(Number(index) + 1));

/** Tells whether all that is wrong is shown at fields. */
export const isAtFields = (error: unknown, paths: readonly string[]): boolean =>
  error instanceof SearchError &&
  error.issues.length > 0 &&
  error.issues.every(({ path }) => paths.some((one) => path === `body.${one}` || path.startsWith(`body.${one}.`)));
