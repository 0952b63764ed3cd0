/** Replaces current fields with given ones. Null restores the default, or removes a field that has none. */
export function mergedFields<T extends object>(current: T, changes: object, defaults: object): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const cleared = given.flatMap(([field, value]) => (value === null ? [field] : []));
  const kept = Object.entries(current).filter(([field]) => !cleared.includes(field));
  const restored = Object.entries(defaults).filter(([field]) => cleared.includes(field));
  return Object.fromEntries([...kept, ...restored, ...given.filter(([, value]) => value !== null)]) as T;
}
