import type { OpenApiDocument, PathItem } from './openapi.ts';

export type Surface = '/api' | '/v1';

/** The titles of the surfaces. Generators name packages after them, and a program may use both packages. */
const TITLES: Readonly<Record<Surface, string>> = { '/api': 'Site search API', '/v1': 'Site search for visitors' };
const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

/** Returns the part of the document about one surface, so that a client generated from it cannot call the other. */
export function surfaceDocument(document: OpenApiDocument, surface: Surface): OpenApiDocument {
  const paths: Record<string, PathItem> = {};
  for (const [path, { servers, ...item }] of Object.entries(document.paths))
    if (servers?.some(({ url }) => url === surface)) paths[path] = item;
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => tagsOf(one))));
  return {
    ...document,
    info: { ...document.info, title: TITLES[surface] },
    servers: document.servers.filter(({ url }) => url === surface),
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: usedComponents(document.components, paths),
  };
}

const tagsOf = (operation: object): readonly string[] =>
  'tags' in operation && Array.isArray(operation.tags) ? operation.tags : [];

/** Returns the components that the paths refer to, directly or through other components. */
function usedComponents(
  components: OpenApiDocument['components'],
  paths: OpenApiDocument['paths'],
): OpenApiDocument['components'] {
  const used = new Set<string>();
  const waiting: unknown[] = [paths];
  for (const part of waiting)
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      waiting.push(components[kind]?.[name]);
    }
  const isUsed = (kind: string, name: string) => kind === 'securitySchemes' || used.has(`${kind}/${name}`);
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(kind, name))),
    ]),
  );
}
