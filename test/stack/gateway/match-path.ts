import type { GatewayDefinition, Method } from './definition.ts';

export type Match = {
  /** The path of the definition. */
  readonly resource: string;
  readonly method: Method;
  readonly pathParameters: Readonly<Record<string, string>> | null;
};

const ANY = 'x-amazon-apigateway-any-method';

/** The method that API Gateway chooses: the most specific path, whole words before parameters before `{path+}`. */
export function matchPath(definition: GatewayDefinition, httpMethod: string, path: string): Match | undefined {
  const matches = definition.paths.flatMap(([resource, methods]) => {
    const parameters = parametersOf(resource, path);
    const method = methods[httpMethod.toLowerCase()] ?? methods[ANY];
    return parameters && method ? [{ resource, method, parameters }] : [];
  });
  const [best] = matches.toSorted((one, other) => rank(one.resource).localeCompare(rank(other.resource)));
  if (!best) return undefined;
  const { resource, method, parameters } = best;
  return { resource, method, pathParameters: Object.keys(parameters).length > 0 ? parameters : null };
}

/** Sorts whole words before parameters, and these before the rest of a path. */
const rank = (resource: string): string =>
  resource
    .split('/')
    .map((part) => (part.endsWith('+}') ? '2' : part.startsWith('{') ? '1' : '0'))
    .join('');

function parametersOf(resource: string, path: string): Record<string, string> | undefined {
  const pattern = resource
    .replace(/[.]/g, '\\.')
    .replace(/\{(\w+)\+\}/g, '(?<$1>.+)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (!match) return undefined;
  return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
