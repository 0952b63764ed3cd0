import { AppError } from '../errors.ts';
import { primaryLanguage } from '../language/stemmer.ts';
import { dateKey, type FactKind, factPrefix, factValue, numberKey } from '../pages/facts.ts';
import type { PageFilter } from '../ports/page-index.ts';
import type { MetadataField } from '../sites/site-settings.ts';

type Scalar = string | number | boolean;
type Range = { readonly gte?: string | number | undefined; readonly lte?: string | number | undefined };
type Wanted = Scalar | readonly Scalar[] | Range;

/** Conditions by field: a value, a list of which any value matches, or a range. All must hold. */
export type Filters = Readonly<Record<string, Wanted>>;

const KINDS: Readonly<Record<MetadataField['type'], FactKind>> = { string: 's', number: 'n', date: 'd' };
/** Sorts after the value of every fact. */
const LAST = '\u{10ffff}';
const LATEST = '9999';

/** Translates the filters of a request for the index. An unknown field is refused by name. */
export function pageFilters(filters: Filters | undefined, schema: readonly MetadataField[]): readonly PageFilter[] {
  return Object.entries(filters ?? {}).map(([name, wanted]) => pageFilter(name, wanted, schema));
}

const BUILT_IN = ['tags', 'language', 'publishedAt'];

export function unknownField(name: string, known: readonly string[]): AppError {
  const fields = [...new Set([...BUILT_IN, ...known])].join(', ');
  return new AppError('unknown_filter_field', `There is no field ${name} to filter by. The fields are: ${fields}`);
}

function pageFilter(name: string, wanted: Wanted, schema: readonly MetadataField[]): PageFilter {
  if (name === 'tags') return { field: name, anyOf: scalars(name, wanted).map(String) };
  if (name === 'language') return { field: name, anyOf: scalars(name, wanted).map(languageOf) };
  if (name === 'publishedAt') return published(wanted);
  const field = schema.find((candidate) => candidate.name === name);
  if (!field)
    throw unknownField(
      name,
      schema.map((candidate) => candidate.name),
    );
  const prefix = factPrefix(KINDS[field.type], name);
  if (field.type === 'date' && isScalar(wanted))
    return { field: 'facts', from: prefix + spelled(field, wanted), to: prefix + endOf(field, wanted) };
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

function published(wanted: Wanted): PageFilter {
  const date = { name: 'publishedAt', type: 'date' } as const;
  if (isRange(wanted)) {
    const { gte, lte } = wanted;
    return {
      field: 'publishedAt',
      from: gte === undefined ? '' : spelled(date, gte),
      to: lte === undefined ? LATEST : endOf(date, lte),
    };
  }
  const [day, ...others] = scalars('publishedAt', wanted);
  if (day === undefined || others.length > 0) throw refused('publishedAt', 'must be one date or a range');
  return { field: 'publishedAt', from: spelled(date, day), to: endOf(date, day) };
}

/** Pages are stored with the primary language of a tag such as pt-BR. */
const languageOf = (tag: Scalar): string => primaryLanguage(String(tag)) || String(tag);

const isScalar = (wanted: Wanted): wanted is Scalar => typeof wanted !== 'object';
const isRange = (wanted: Wanted): wanted is Range => typeof wanted === 'object' && !isList(wanted);
const isList = (wanted: Wanted): wanted is readonly Scalar[] => Array.isArray(wanted);

function scalars(name: string, wanted: Wanted): readonly Scalar[] {
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

/** A day ends with its last millisecond. */
function endOf(field: Pick<MetadataField, 'name' | 'type'>, value: Scalar): string {
  const key = spelled(field, value);
  return field.type === 'date' && String(value).length === 10 ? key.replace('T00:00:00.000Z', 'T23:59:59.999Z') : key;
}

const refused = (name: string, message: string) =>
  new AppError('invalid_request', `Invalid request: filters.${name} ${message}`, {
    issues: [{ path: `filters.${name}`, message }],
  });
