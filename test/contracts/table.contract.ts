import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { conditions, expiry, items, updates } from './table/items.ts';
import { limits, manyItems, queries } from './table/reads.ts';
import { concurrency, counters, writes } from './table/writes.ts';

type Opened = { readonly table: Table; close(): Promise<void> };

/** The promises of `Table`. The table may hold other items. */
export function tableContract(name: string, open: () => Promise<Opened>): void {
  describe(`Table on ${name}`, () => {
    let opened: Opened;
    let table: Table;
    beforeAll(async () => {
      opened = await open();
      table = opened.table;
    });
    afterAll(() => opened.close());
    const access = { get: () => table };

    items(access);
    conditions(access);
    updates(access);
    writes(access);
    queries(access);
    manyItems(access);
    expiry(access);
    concurrency(access);
    counters(access);
    limits(access);
  });
}
