import { type Example, IDS } from '../routes/examples/example.ts';
import { IN_ORGANISATION, pathsOf, type Route, surfaceOf } from '../routes/route.ts';
import { defined } from '../text/defined.ts';
import { type Answer, type Content, contentOf, HEADERS, responseWriter } from './openapi-responses.ts';
import { type JsonSchema, type SchemaWriter, schemaWriter } from './openapi-schemas.ts';

type Reference = { readonly $ref: string };

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly style?: 'form';
  readonly explode?: false;
  readonly schema: JsonSchema;
  readonly example?: unknown;
};

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
};

export type PathItem = { readonly servers?: readonly { readonly url: string }[] } & {
  readonly [method in Route['method']]?: Operation;
};

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const DESCRIPTION =
  'Rate limits, by default: an address may search 60 times and chat 20 times a minute, over all sites and groups; a ' +
  'key may make 1,000 calls a minute, among them 60 ingestions. `rateLimits` of a site or group sets other limits ' +
  'for its visitors. Every answer says in its headers how many calls are left.';

const SERVERS = [
  { url: '/api', description: 'for callers with an API key' },
  { url: '/v1', description: 'for visitors of a website, without a key' },
];

export type Resources = Readonly<Record<string, Readonly<Record<string, Route>>>>;
type Options = {
  /** The description of each resource. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, Example>>;
};

/**
 * Writes the API as OpenAPI 3.1, with one tag per resource. The same routes give the same document. It contains no
 * host.
 */
export function openApiDocument(resources: Resources, { tags = {}, examples = {} }: Options = {}): OpenApiDocument {
  const schemas = schemaWriter();
  const responses = responseWriter(schemas);
  const paths: Record<string, PathItem> = {};
  const sources = Object.entries(resources).flatMap(([tag, routes]) =>
    Object.entries(routes).map(([name, route]) => ({ tag, name, route, example: examples[name] ?? {} })),
  );
  for (const source of sources) {
    const { route, example } = source;
    for (const path of pathsOf(route)) {
      const operation = operationOf({ ...source, path }, schemas, responses.write(route, path, example));
      paths[path] = { servers: [{ url: surfaceOf(route) }], ...paths[path], [route.method]: operation };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Site search',
      version: '1.2.0',
      description: DESCRIPTION,
      contact: { name: 'the operator of this service' },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: SERVERS,
    tags: [...new Set(sources.map(({ tag }) => tag))].map((name) => ({
      name,
      ...(tags[name] !== undefined && { description: tags[name] }),
    })),
    paths,
    components: {
      schemas: schemas.components(),
      responses: responses.components(),
      headers: HEADERS,
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `ssk_…`' } },
    },
  };
}

type Source = {
  readonly tag: string;
  readonly name: string;
  readonly route: Route;
  readonly path: string;
  readonly example: Example;
};

function operationOf(
  { tag, name, route, path, example }: Source,
  schemas: SchemaWriter,
  responses: Operation['responses'],
): Operation {
  const parameters = [...pathParameters(route, path, schemas), ...queryParameters(route, schemas, example)];
  return {
    operationId: operationIdOf(name, route, path),
    tags: [tag],
    summary: route.summary,
    description: requirementsOf(route),
    security: 'feature' in route.access ? [{}, { apiKey: [] }] : [{ apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { 'application/json': contentOf(schemas.write(route.body), example.body) },
      },
    }),
    responses,
  };
}

/** Returns a unique operationId, as OpenAPI requires: each further path of a route has another one. */
function operationIdOf(name: string, { paths }: Route, path: string): string {
  const isInOrganisation = path.startsWith(IN_ORGANISATION);
  const own = isInOrganisation ? path.slice(IN_ORGANISATION.length) : path;
  return name + (own === paths[0] ? '' : '-of-site') + (isInOrganisation ? '-in-organisation' : '');
}

function requirementsOf({ access }: Route): string {
  if ('feature' in access)
    return `Requires that \`publicAccess\` of the ${access.scope} allows ${access.feature} on the visitor's web page.`;
  const role = access.role === 'member' ? '' : ` with at least the role ${access.role}`;
  return `Requires a key${role}${access.plan ? ` and at least the plan ${access.plan.atLeast}` : ''}.`;
}

export const namesInPath = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const ORGANISATION: JsonSchema = { type: 'string', format: 'uuid', description: 'the organisation of the key' };

const pathParameters = ({ params }: Route, path: string, schemas: SchemaWriter): readonly Parameter[] => {
  const properties: Readonly<Record<string, JsonSchema>> = {
    orgId: ORGANISATION,
    ...propertiesOf(schemas.write(params)),
  };
  return namesInPath(path).map((name) =>
    parameter({ name, in: 'path', required: true, example: IDS[name] }, properties[name]),
  );
};

function queryParameters({ query }: Route, schemas: SchemaWriter, example: Example): readonly Parameter[] {
  if (!query) return [];
  const written = schemas.write(query);
  const required = new Set(Array.isArray(written.required) ? written.required : []);
  return Object.entries(propertiesOf(written)).map(([name, schema]) =>
    parameter({ name, in: 'query', required: required.has(name), example: example.query?.[name] }, schema),
  );
}

const propertiesOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (properties ?? {}) as Readonly<Record<string, JsonSchema>>;

function parameter(
  { example, ...place }: Pick<Parameter, 'name' | 'in' | 'required' | 'example'>,
  { description, ...schema }: JsonSchema = {},
): Parameter {
  return {
    ...place,
    ...(typeof description === 'string' && { description }),
    // Lists are comma-separated, and the name is not repeated.
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema,
    ...defined({ example }),
  };
}
