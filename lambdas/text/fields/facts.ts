import { cut } from '../words/folding.ts';

/**
 * Represents custom metadata as keyword terms, `<kind>:<name>=<value>`: one for each type that a value parses as
 * (string, number, date). The index needs no mapping for a field, and the metadata schema decides at query time which
 * type counts.
 */

export type FactKind = 's' | 'n' | 'd';

const MAX_VALUE_LENGTH = 512;

export const factValue = (value: string | number | boolean): string => cut(String(value), MAX_VALUE_LENGTH);

export const factPrefix = (kind: FactKind, name: string): string => `${kind}:${name}=`;

/** Returns a number as 16 hex digits that sort like numbers. */
export function numberKey(number: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, number === 0 ? 0 : number);
  const raw = bits.getBigUint64(0);
  const isNegative = raw >> 63n === 1n;
  return (isNegative ? ~raw & 0xffff_ffff_ffff_ffffn : raw | (1n << 63n)).toString(16).padStart(16, '0');
}

export function numberOfKey(key: string): number {
  const bitsOfKey = BigInt(`0x${key}`);
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, bitsOfKey >> 63n === 1n ? bitsOfKey & ~(1n << 63n) : ~bitsOfKey & 0xffff_ffff_ffff_ffffn);
  return bits.getFloat64(0);
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Returns an ISO 8601 date or time in a form that sorts by time; undefined for anything else. */
export function dateKey(text: string): string | undefined {
  if (!ISO_DATE.test(text) || !isInCalendar(text.slice(0, 10))) return undefined;
  const time = Date.parse(text.length > 10 && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Returns epoch seconds as ISO 8601. Outside the years 0 to 9999, `dateKey` does not read the result. */
export function epochDate(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
}

/** Returns whether a day exists: `Date.parse` reads 30 February as 1 March. */
function isInCalendar(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

const NUMBER = /^-?\d{1,300}(?:\.\d{1,300})?$/;
export const isNumber = (text: string): boolean => NUMBER.test(text);

/** Returns the facts of a field: of a list, those of each value; of an object, none. */
export function factsOf(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((single) => (Array.isArray(single) ? [] : factsOf(name, single)));
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
  const text = factValue(value);
  const date = dateKey(text);
  return [
    factPrefix('s', name) + text,
    ...(isNumber(text) || typeof value === 'number' ? [factPrefix('n', name) + numberKey(Number(text))] : []),
    ...(date === undefined ? [] : [factPrefix('d', name) + date]),
  ];
}

/** The field names that a metadata schema allows. Filters cannot use others. */
const FIELD_NAME = /^[A-Za-z0-9_]{1,64}$/;

export function metadataFacts(metadata: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const fields = Object.entries(metadata).filter(([name]) => FIELD_NAME.test(name));
  return [...new Set(fields.flatMap(([name, value]) => factsOf(name, value)))];
}
