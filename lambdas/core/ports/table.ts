export type Scalar = string | number | boolean | null;
export type Value = Scalar | readonly Value[] | { readonly [field: string]: Value | undefined };

export type Key = { readonly pk: string; readonly sk: string };

/** A record under its key. `expiresAt`, in epoch seconds, ends its life. At most 400 kB. */
export type Item = Key & { readonly expiresAt?: number; readonly [field: string]: Value | undefined };

/** Every part must hold. An item that has expired counts as absent. */
export type Condition = {
  readonly exists?: boolean;
  /** The field has this value, or one of these. `null` also stands for an absent field. */
  readonly equals?: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The field is a number below the bound, or absent. */
  readonly below?: Readonly<Record<string, number>>;
};

/** How top-level fields change; others stay. An absent item is created. */
export type FieldChanges = {
  readonly set?: Readonly<Record<string, Value>>;
  readonly unset?: readonly string[];
  /** Numbers added atomically; an absent field counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
};

export type Change =
  | { readonly put: Item; readonly when?: Condition }
  | (FieldChanges & { readonly update: Key; readonly when?: Condition })
  | { readonly remove: Key; readonly when?: Condition }
  | { readonly check: Key; readonly when: Condition };

export type Range = {
  /** Only sort keys that start with this. */
  readonly prefix?: string;
  /** Only sort keys strictly beyond this one, in the direction of the query: where the last page ended. */
  readonly after?: string;
  readonly descending?: boolean;
  /** 1 to 1,000. */
  readonly limit: number;
};

/** One part of a longer list. */
export type Listing<T> = {
  readonly items: readonly T[];
  /** Pass it as `after` to read on. Only its absence means that the list ends here: `items` may be fewer than the limit. */
  readonly next?: string;
};

/**
 * Items under (pk, sk), ordered within a pk by the UTF-8 bytes of sk. No joins, no secondary index.
 * Reads see every write that was answered before they began.
 */
export interface Table {
  get<T extends object = Item>(key: Key): Promise<(T & Item) | undefined>;

  /** Any number of keys; the answers stand in their order. */
  getMany<T extends object = Item>(keys: readonly Key[]): Promise<readonly ((T & Item) | undefined)[]>;

  query<T extends object = Item>(pk: string, range: Range): Promise<Listing<T & Item>>;

  /** Changes one item atomically and answers how it is now, or undefined if the condition did not hold. */
  update<T extends object = Item>(
    key: Key,
    changes: FieldChanges & { readonly when?: Condition },
  ): Promise<(T & Item) | undefined>;

  /**
   * Writes all changes or none: at most 100, of together 4 MB, no item twice.
   * Answers the changes whose condition did not hold, the very objects given: nothing was written unless it is empty.
   * When it throws, the outcome is unknown: repeat it with conditions that make a repeat harmless.
   */
  write(changes: readonly Change[]): Promise<readonly Change[]>;

  /** Puts any number of items, one by one: after a throw some are there and some are not. */
  putMany(items: readonly Item[]): Promise<void>;

  /** Removes any number of items, one by one; those that are not there are fine. */
  removeMany(keys: readonly Key[]): Promise<void>;
}
