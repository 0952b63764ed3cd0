import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item, Key, Value } from '../../domain/ports/table.ts';

/** DynamoDB's limit. */
const MAX_DEPTH = 32;

export type Attributes = Readonly<Record<string, AttributeValue>>;

type Fields = Readonly<Record<string, Value | undefined>>;

/** As `JSON.stringify` does, leaves out undefined fields and writes null for numbers that are not finite. */
export function attributesOf(fields: Fields, depth = 1): Record<string, AttributeValue> {
  const attributes = Object.entries(fields).flatMap(([field, value]): [string, AttributeValue][] =>
    value === undefined ? [] : [[field, attributeOf(value, depth)]],
  );
  return Object.fromEntries(attributes);
}

/** Accepts a whole item too and ignores its other fields. */
export const keyAttributes = ({ pk, sk }: Key): Record<string, AttributeValue> => attributesOf({ pk, sk });

export function attributeOf(value: Value, depth = 1): AttributeValue {
  if (depth > MAX_DEPTH) throw new RangeError(`An item is nested at most ${MAX_DEPTH} levels deep`);
  if (typeof value === 'string') return { S: value.toWellFormed() };
  if (typeof value === 'number') return Number.isFinite(value) ? { N: String(value) } : { NULL: true };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (isList(value)) return { L: value.map((each) => attributeOf(each, depth + 1)) };
  return { M: attributesOf(value, depth + 1) };
}

const isList = (value: object): value is readonly Value[] => Array.isArray(value);

export const itemOf = (attributes: Attributes): Item => fieldsOf(attributes) as Item;

function fieldsOf(attributes: Attributes): Record<string, Value> {
  return Object.fromEntries(Object.entries(attributes).map(([field, attribute]) => [field, plainValue(attribute)]));
}

function plainValue({ S, N, BOOL, L, M }: AttributeValue): Value {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (L !== undefined) return L.map(plainValue);
  return M === undefined ? null : fieldsOf(M);
}
