/** A body of JSON, of which an update sends the changed fields. */
export type Body = { readonly [name: string]: unknown };

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns the fields of `next` that differ from `base`: objects by field, lists as a whole. */
export function changesOf<B extends Body>(base: B, next: B): Partial<B> | undefined {
  const changed = Object.entries(next).flatMap(([name, value]): [string, unknown][] => {
    const before = base[name];
    if (isSame(before, value)) return [];
    return [[name, isBody(value) && isBody(before) ? changesOf(before, value) : value]];
  });
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<B>);
}

/** The paths of the fields of a body: `crawlerConfig.maxPages`. */
export const pathsOf = (body: Body, prefix = ''): readonly string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    isBody(value) && Object.keys(value).length > 0 ? pathsOf(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  );

/** The value at a path; undefined if there is none. */
export const valueAt = (body: Body, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isBody(value) ? value[name] : undefined), body);

/** A field that somebody else has changed to another value since it was read. */
export type Conflict = {
  readonly path: string;
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
};

/** Returns the changed fields that somebody else has changed, too, in another way. */
export function conflictsOf(changes: Body, { base, theirs }: { base: Body; theirs: Body }): readonly Conflict[] {
  return pathsOf(changes)
    .map((path) => ({
      path,
      before: valueAt(base, path),
      theirs: valueAt(theirs, path),
      mine: valueAt(changes, path),
    }))
    .filter(({ before, theirs: now, mine }) => !isSame(before, now) && !isSame(now, mine));
}
