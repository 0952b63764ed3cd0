import type { KnownVersions } from './rules/known-versions.ts';

export type Scalar = string | number | boolean | null;
export type Value = Scalar | readonly Value[] | { readonly [field: string]: Value | undefined };

export type Key = { readonly pk: string; readonly sk: string };

/** A record of at most 400 kB. From `expiresAt` (epoch seconds) on, it counts as absent. */
export type Item = Key & { readonly expiresAt?: number; readonly [field: string]: Value | undefined };

/** Holds if each of its parts holds. */
export type Condition = {
  readonly exists?: boolean;
  /** The field has this value or one of these values; `null` also matches an absent field. */
  readonly equals?: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The field is a number below the bound or is absent. */
  readonly below?: Readonly<Record<string, number>>;
};

/** Changes of top-level fields, each field in one way. Other fields are unchanged. An absent item is created. */
export type FieldChanges = {
  readonly set?: Readonly<Record<string, Value>>;
  readonly unset?: readonly string[];
  /** Amounts to add atomically. An absent field counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
};

export type Change =
  | { readonly put: Item; readonly when?: Condition }
  | (FieldChanges & { readonly update: Key; readonly when?: Condition })
  | { readonly remove: Key; readonly when?: Condition }
  | { readonly check: Key; readonly when: Condition };

export type Range = {
  /** Only items whose sort key starts with this. */
  readonly prefix?: string;
  /** Only items after this sort key in the direction of the query, for example the last listing's `next`. */
  readonly after?: string;
  readonly descending?: boolean;
  /** 1 to 1,000. */
  readonly limit: number;
};

/** `by` is a whole number; 0 only reads. */
export type Count = {
  readonly by: number;
  /** The highest count that may be reached. @default none */
  readonly atMost?: number;
  /** Epoch seconds after which the count may be forgotten. A later minute or day thus needs another counter. */
  readonly expiresAt: number;
};

/** One part of a longer list. */
export type Listing<T> = {
  readonly items: readonly T[];
  /** Pass it as `after` to continue. The list ends only where it is absent: a listing may be shorter than its limit. */
  readonly next?: string;
};

/**
 * A table of items under (pk, sk), ordered within a pk by the UTF-8 bytes of sk. A pk has 1 to 2,048 bytes, an sk 1 to
 * 1,024. There are no joins and no secondary index. Reads see every write that was answered before they began. Methods
 * throw `RangeError` beyond a documented limit and `UnavailableError` (domain/errors.ts).
 */
export interface Table extends TableReader, Counters {
  /**
   * Writes all changes or none: at most 100 changes of 4 MB together, each to a different item. Returns the change
   * objects whose condition did not hold; if there is one, nothing was written. After an error the outcome is unknown:
   * use conditions that make a repeat harmless.
   */
  write(changes: readonly Change[]): Promise<readonly Change[]>;

  /** Puts any number of items, not atomically. After an error some may be written. */
  putMany(items: readonly Item[]): Promise<void>;

  /** Removes any number of items, not atomically. Absent items are ignored. */
  removeMany(keys: readonly Key[]): Promise<void>;
}

/** The part of the table that changes nothing. */
export interface TableReader {
  /** Cache of items that never change within a version. @default nothing is cached */
  readonly versions?: KnownVersions;

  get<T extends object = Item>(key: Key): Promise<(T & Item) | undefined>;

  /** Returns one result per key, in order. Any number of keys is allowed. */
  getMany<T extends object = Item>(keys: readonly Key[]): Promise<readonly ((T & Item) | undefined)[]>;

  query<T extends object = Item>(pk: string, range: Range): Promise<Listing<T & Item>>;
}

/**
 * The writes of calls that otherwise only read: how often a caller came, when a key was used, what a model cost. These
 * items have separate partitions, and in AWS the role of such a function allows no others.
 */
export interface Counters {
  /** Changes one item atomically. Returns the changed item, or undefined if the condition did not hold. */
  update<T extends object = Item>(
    key: Key,
    changes: FieldChanges & { readonly when?: Condition },
  ): Promise<(T & Item) | undefined>;

  /**
   * Adds to a counter atomically. Returns the new count, or undefined, without adding, if it would exceed `atMost`. A
   * counter starts at 0, all processes and threads share it, and its key must belong to no item. Counts may be lost in
   * a crash, because the call does not wait for a disk. Fails within 1 s; whether the count was added is then unknown.
   */
  count(counter: Key, count: Count): Promise<number | undefined>;
}
