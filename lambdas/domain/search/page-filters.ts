import { dateKey, type FactKind, factPrefix, factValue, numberKey } from '../../text/fields/facts.ts';
import { primaryLanguage } from '../../text/words/stemmer.ts';
import { AppError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';
import type { PageFilter } from '../ports/index-reader.ts';
import type { MetadataField } from '../sites/metadata-schema.ts';
import type { SiteRecord } from '../sites/site.ts';
import { BUILT_IN, type CarriedFieldDeps, withCarriedFields } from './carried-fields.ts';
import { storedPrefixes } from './results/shown-url.ts';

type Scalar = string | number | boolean;
type Range = { readonly gte?: string | number | undefined; readonly lte?: string | number | undefined };
type Prefix = { readonly prefix: string };
type Wanted = Scalar | readonly Scalar[] | Range | Prefix;

/** Conditions by field: a value, a list of which any value matches, a range, or for `url` a prefix. All must hold. */
export type Filters = Readonly<Record<string, Wanted>>;

const KINDS: Readonly<Record<MetadataField['type'], FactKind>> = { string: 's', number: 'n', date: 'd' };
/** Sorts after the value of every fact. */
const LAST = '\u{10ffff}';
const LATEST = '9999';

/** Translates the filters of a request for the index. Throws for a field that is neither declared nor on any page. */
export async function siteFilters(
  filters: Filters | undefined,
  site: SiteRecord,
  deps: CarriedFieldDeps,
): Promise<readonly PageFilter[]> {
  const [extended = site] = await withCarriedFields([site], filters, deps);
  return pageFilters(filters, extended);
}

/** Translates filters like `siteFilters`, but accepts only the fields of the schema. */
export function pageFilters(filters: Filters | undefined, site: SiteRecord): readonly PageFilter[] {
  return Object.entries(filters ?? {}).map(([name, wanted]) => pageFilter(name, wanted, site));
}

export function unknownField(name: string, known: readonly string[]): AppError {
  const fields = [...new Set([...BUILT_IN, ...known])];
  const nearest = nearestName(name, fields);
  const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const message = `There is no field ${name} to filter by.${advice} The fields are: ${fields.join(', ')}`;
  return new AppError('unknown_filter_field', message);
}

function pageFilter(name: string, wanted: Wanted, site: SiteRecord): PageFilter {
  if (name === 'url') return urlFilter(wanted, site);
  if (isPrefix(wanted)) throw refused(name, 'must be a value, a list or a range: only url has a prefix');
  if (name === 'tags') return { field: name, anyOf: scalars(name, wanted).map(String) };
  if (name === 'language') return { field: name, anyOf: scalars(name, wanted).map(languageOf) };
  if (name === 'publishedAt') return published(wanted);
  const schema = site.settings.metadataSchema;
  const field = schema.find((candidate) => candidate.name === name);
  if (!field)
    throw unknownField(
      name,
      schema.map((candidate) => candidate.name),
    );
  const prefix = factPrefix(KINDS[field.type], name);
  if (field.type === 'date' && !isRange(wanted))
    return anyOf(
      scalars(name, wanted).map((day) => ({
        field: 'facts',
        from: prefix + spelled(field, day),
        to: prefix + endOf(field, day),
      })),
    );
  if (!isRange(wanted))
    return { field: 'facts', anyOf: scalars(name, wanted).map((value) => prefix + spelled(field, value)) };
  if (field.type === 'string') throw refused(name, 'is a string field: give a value or a list, not a range');
  const { gte, lte } = wanted;
  return {
    field: 'facts',
    from: prefix + (gte === undefined ? '' : spelled(field, gte)),
    to: prefix + (lte === undefined ? LAST : endOf(field, lte)),
  };
}

const anyOf = ([first, ...more]: readonly PageFilter[]): PageFilter =>
  first && more.length === 0 ? first : { field: 'any', of: first ? [first, ...more] : [] };

/** Translates a URL prefix. It may be a path, or a prefix of the stored or of the shown URL. */
function urlFilter(wanted: Wanted, site: SiteRecord): PageFilter {
  if (!isPrefix(wanted)) throw refused('url', 'must be a prefix: {"prefix": "/docs/"}');
  const { prefix } = wanted;
  if (prefix.startsWith('/')) return { field: 'url', urlPrefixes: [], pathPrefixes: [prefix] };
  return { field: 'url', urlPrefixes: storedPrefixes(prefix, site), pathPrefixes: [] };
}

function published(wanted: Exclude<Wanted, Prefix>): PageFilter {
  const date = { name: 'publishedAt', type: 'date' } as const;
  if (isRange(wanted)) {
    const { gte, lte } = wanted;
    return {
      field: 'publishedAt',
      from: gte === undefined ? '' : spelled(date, gte),
      to: lte === undefined ? LATEST : endOf(date, lte),
    };
  }
  return anyOf(
    scalars('publishedAt', wanted).map((day) => ({
      field: 'publishedAt',
      from: spelled(date, day),
      to: endOf(date, day),
    })),
  );
}

/** Returns the primary language of a tag such as pt-BR, as pages store it. */
const languageOf = (tag: Scalar): string => primaryLanguage(String(tag)) || String(tag);

const isPrefix = (wanted: Wanted): wanted is Prefix =>
  typeof wanted === 'object' && !isList(wanted) && 'prefix' in wanted;
const isRange = (wanted: Exclude<Wanted, Prefix>): wanted is Range => typeof wanted === 'object' && !isList(wanted);
const isList = (wanted: Wanted): wanted is readonly Scalar[] => Array.isArray(wanted);

function scalars(name: string, wanted: Exclude<Wanted, Prefix>): readonly Scalar[] {
  if (isRange(wanted)) throw refused(name, 'must be a value or a list, not a range');
  return isList(wanted) ? wanted : [wanted];
}

function spelled({ name, type }: Pick<MetadataField, 'name' | 'type'>, value: Scalar): string {
  if (type === 'string') return factValue(value);
  if (type === 'number') {
    const number = typeof value === 'boolean' || String(value).trim() === '' ? Number.NaN : Number(value);
    if (Number.isFinite(number)) return numberKey(number);
    throw refused(name, 'must be a number');
  }
  const date = dateKey(String(value));
  if (date === undefined) throw refused(name, 'must be a date: YYYY-MM-DD, or with a time');
  return date;
}

/** Returns the key of a value as the end of a range: the last millisecond of a day. */
function endOf(field: Pick<MetadataField, 'name' | 'type'>, value: Scalar): string {
  const key = spelled(field, value);
  return field.type === 'date' && String(value).length === 10 ? key.replace('T00:00:00.000Z', 'T23:59:59.999Z') : key;
}

const refused = (name: string, message: string) =>
  new AppError('invalid_request', `Invalid request: filters.${name} ${message}`, {
    issues: [{ path: `filters.${name}`, message }],
  });
