import { resources } from '../lambdas/routes.ts';
import { type OpenApiDocument, openApiDocument } from '../lambdas/runtime/openapi.ts';
import type { JsonSchema } from '../lambdas/runtime/openapi-schemas.ts';

/** The pages of docs/guide/ with a table of parameters, and the schemas that describe its rows. */
const SOURCES = {
  'searching.md': { operation: '/public/sites/{siteId}/search' },
  'crawl-settings.md': { component: 'CrawlerConfig' },
  'ingestion.md': { component: 'PageContent' },
  'removals.md': { component: 'RemovalPolicy' },
} as const;
type GuidePage = keyof typeof SOURCES;
export const parameterPages = Object.keys(SOURCES) as readonly GuidePage[];

type Fields = { readonly properties: Readonly<Record<string, JsonSchema>> };

const TABLE = /^\| (?:Parameter|Field) \| Meaning \|.*\n(?:\|.*\n)+/m;

/** Returns the text of a guide page with its table as the routes' schemas define it. */
export function withParameterTable(page: GuidePage, text: string): string {
  const document = openApiDocument(resources);
  const from = SOURCES[page];
  const table = 'operation' in from ? parameterTable(document, from.operation) : fieldTable(document, from.component);
  if (!TABLE.test(text)) throw new Error(`docs/guide/${page} has no table of parameters`);
  return text.replace(TABLE, () => table);
}

function parameterTable({ paths }: OpenApiDocument, path: string): string {
  const parameters = (paths[path]?.get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const rows = parameters.map(({ name, description = '', schema, required }) => {
    const fallback = schema.default === undefined ? '' : `\`${String(schema.default)}\``;
    return [...cellsOf(name, description, schema), required ? 'required' : fallback];
  });
  return tableOf(['Parameter', 'Meaning', 'Values', 'Default'], rows);
}

/** Returns the table of a component's fields. Their descriptions include the defaults. */
function fieldTable({ components }: OpenApiDocument, component: string): string {
  const schema = components.schemas?.[component] as Fields | undefined;
  const rows = Object.entries(schema?.properties ?? {}).map(([name, field]) =>
    cellsOf(name, String(field.description ?? ''), field),
  );
  return tableOf(['Field', 'Meaning', 'Values'], rows);
}

const cellsOf = (name: string, meaning: string, schema: JsonSchema): readonly string[] => [
  `\`${name}\``,
  meaning,
  valuesOf(schema),
];

const tableOf = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, heading.map(() => '---'), ...rows].map(lineOf).join('');

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;

function valuesOf({ type, enum: values, anyOf, format, ...limits }: JsonSchema): string {
  if (Array.isArray(anyOf)) return anyOf.map((part: JsonSchema) => valuesOf(part)).join(', ');
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'integer' || type === 'number') return between(limits.minimum, limits.maximum);
  if (type === 'array') return between(undefined, limits.maxItems);
  if (typeof format === 'string') return format;
  return type === 'string' ? `${between(undefined, limits.maxLength)} characters` : '';
}

function between(least: unknown, most: unknown): string {
  const end = Number(most).toLocaleString('en');
  return least === undefined ? `at most ${end}` : `${String(least)} to ${end}`;
}
