import * as z from 'zod';

/**
 * Returns the schema of a request body for a record. It ignores fields of the record that only the service sets, so
 * that a record can be read, changed and sent back. It refuses other unknown fields, since a misspelt field would have
 * no effect.
 */
export function bodyAbout<Body extends z.ZodObject>(record: z.ZodObject, body: Body) {
  const ignored = Object.keys(record.shape).filter((field) => !(field in body.shape));
  return z.preprocess((value) => withoutFields(value, ignored), body);
}

function withoutFields(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}
