import { pathsOf, type Route, surfaceOf } from '../routes/route.ts';
import { type OperationName, routes } from '../routes.ts';

export type RouteMatch = {
  readonly name: OperationName;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
};

type Pattern = {
  readonly name: OperationName;
  readonly route: Route;
  readonly regex: RegExp;
  readonly names: readonly string[];
};

const patterns: readonly Pattern[] = Object.entries(routes).flatMap(([name, route]: readonly [string, Route]) =>
  pathsOf(route).map((path) => {
    const full = surfaceOf(route) + path;
    const names = Array.from(full.matchAll(/\{(\w+)\}/g), ([, param]) => param as string);
    return {
      name: name as OperationName,
      route,
      names,
      regex: new RegExp(`^${full.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    };
  }),
);

/** Returns the routes of a path, one per method. Ignores a trailing slash. */
export function routesAt(path: string): readonly RouteMatch[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return patterns.flatMap(({ name, route, regex, names }) => {
    const found = regex.exec(trimmed);
    const values = found?.slice(1).map(decoded);
    if (!values || values.includes(undefined)) return [];
    return [{ name, route, params: Object.fromEntries(names.map((param, index) => [param, values[index] as string])) }];
  });
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
