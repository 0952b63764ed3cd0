/**
 * The fields that are defined: an optional property may be absent, but not undefined (`exactOptionalPropertyTypes`).
 */
export function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
