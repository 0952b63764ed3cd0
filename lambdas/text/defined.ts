/**
 * Returns the fields that are defined. With `exactOptionalPropertyTypes`, an optional property may be absent but not
 * undefined.
 */
export function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
