import * as z from 'zod';

/**
 * The body of a request about a record. Fields of the record that only the service sets are ignored, so that a record
 * can be read, changed and sent back; other unknown fields are refused, since a misspelt one would have no effect.
 */
export function bodyAbout<Body extends z.ZodObject>(record: z.ZodObject, body: Body) {
  const ignored = Object.keys(record.shape).filter((field) => !(field in body.shape));
  return z.preprocess((value) => withoutFields(value, ignored), body);
}

function withoutFields(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}
