import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { dynamoTable } from '../lambdas/aws/dynamodb/dynamo-table.ts';
import type { Change, Item, Key, Table } from '../lambdas/domain/ports/table.ts';
import { openTable } from '../test/engines/open-table.ts';
import { SeededRandom } from '../test/simulation/seeded-random.ts';
import { crawlHere, newSite } from '../test/support/crawl-here.ts';
import { memorySite } from '../test/support/memory/web.ts';
import { htmlPage } from '../test/support/web-site.ts';

/*
 * Measures what a crawl costs in DynamoDB, on a real engine: `npm run bench -- table-units`. A write of up to 1 kB is
 * one unit, in a transaction two. A consistent read of up to 4 kB is one unit. The table by kind is computed from the
 * sizes of the items, and the totals are those that the engine reports.
 */

const PAGES = 100;
const WORDS = 400;
const WRITTEN_KB = 1024;

/** Forwards requests to the engine, and sums up the capacity that it reports. */
async function meteredEngine(engine: string) {
  const units = { read: 0, written: 0 };
  const server = createServer(async (request, response) => {
    const asked = { ...JSON.parse(await text(request)), ReturnConsumedCapacity: 'TOTAL' };
    const target = String(request.headers['x-amz-target']);
    const { host: _, 'content-length': __, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(engine, { method: 'POST', headers, body: JSON.stringify(asked) });
    const body = await answer.text();
    const { ConsumedCapacity = [] } = JSON.parse(body) as { ConsumedCapacity?: object };
    const kind = /Get|Query/.test(target) ? 'read' : 'written';
    for (const { CapacityUnits } of [ConsumedCapacity].flat() as { CapacityUnits: number }[])
      units[kind] += CapacityUnits;
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { units, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Cost = { items: number; units: number };

/** A table that records the cost of each kind of item. */
class CostedTable {
  readonly costs = new Map<string, Cost>();
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get port(): Table {
    const table = this.#table;
    return {
      ...table,
      update: async (key, changes) => {
        const answer = await table.update<Item>(key, changes);
        this.#add('update', key, unitsOf(answer ?? (await table.get(key)), WRITTEN_KB));
        return answer as never;
      },
      write: async (changes) => {
        const before = await table.getMany(changes.map(keyOf));
        const refused = await table.write(changes);
        const after = await table.getMany(changes.map(keyOf));
        for (const [i, change] of changes.entries()) {
          const item = 'put' in change ? change.put : (after[i] ?? before[i]);
          this.#add(`${nameOf(change)} in a transaction`, keyOf(change), 2 * unitsOf(item, WRITTEN_KB));
        }
        return refused;
      },
      putMany: async (items) => {
        for (const item of items) this.#add('put', item, unitsOf(item, WRITTEN_KB));
        return table.putMany(items);
      },
      removeMany: async (keys) => {
        const before = await table.getMany(keys);
        for (const [i, key] of keys.entries()) this.#add('remove', key, unitsOf(before[i], WRITTEN_KB));
        return table.removeMany(keys);
      },
    };
  }

  #add(operation: string, key: Key, units: number): void {
    const name = `${kindOf(key)}: ${operation}`;
    const cost = this.costs.get(name) ?? { items: 0, units: 0 };
    this.costs.set(name, { items: cost.items + 1, units: cost.units + units });
  }
}

const keyOf = (change: Change): Key =>
  'put' in change ? change.put : 'update' in change ? change.update : 'remove' in change ? change.remove : change.check;
const nameOf = (change: Change): string => Object.keys(change).find((name) => name !== 'when' && name !== 'set') ?? '';
const unitsOf = (item: object | undefined, bytes: number): number =>
  Math.max(1, Math.ceil(JSON.stringify(item ?? {}).length / bytes));

/** Returns the kind of an item: `JOB# OUTCOME#` for an outcome, `SITE# PAGE#` for a page's row. */
function kindOf({ pk, sk }: Key): string {
  const first = (key: string) => /^(?:[A-Z]+#?)/.exec(key.replace(/^G#\d+#/, ''))?.[0] ?? key;
  return `${first(pk)} ${first(sk)}`;
}

const random = new SeededRandom(1);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'] as [string, ...string[]];
const WORDS_OF_SITE = random.times(3000, () => random.times(6, () => random.pick(LETTERS)).join('')) as [string];
const textOf = () => random.times(WORDS, () => random.pick(WORDS_OF_SITE)).join(' ');

const paths = Array.from({ length: PAGES - 1 }, (_, n) => `/section-${n % 9}/page-about-${WORDS_OF_SITE[n]}-${n}`);
const pages = Object.fromEntries(
  paths.map((path) => [path, htmlPage(`Page about ${path}`, textOf(), paths.slice(0, 30))]),
);
const web = memorySite({ '/': htmlPage('Start', textOf(), paths), ...pages });
const opened = await openTable();
const engine = await meteredEngine(opened.url);
const costed = new CostedTable(dynamoTable(opened.name, { url: opened.url }));
const metered = dynamoTable(opened.name, { url: engine.url });
try {
  for (const [name, table] of [
    ['by kind', costed.port],
    ['by the engine', metered],
  ] as const) {
    const site = await newSite(web.origin, table);
    for (const crawl of ['first crawl', 'second crawl, nothing changed']) {
      costed.costs.clear();
      Object.assign(engine.units, { read: 0, written: 0 });
      const { job } = await crawlHere(site, { table, overrides: { maxPages: 1000 } });
      console.log(`${crawl}, ${name}: ${job.indexed} indexed, ${job.unchanged} unchanged`);
      if (table === metered)
        console.log({ writtenPerPage: engine.units.written / PAGES, readPerPage: engine.units.read / PAGES });
      else print();
    }
  }
} finally {
  engine.server.close();
  await opened.close();
}

function print(): void {
  const rows = [...costed.costs].sort(([, a], [, b]) => b.units - a.units);
  console.log('| item and write | items a page | units a page |\n|---|---:|---:|');
  for (const [name, { items, units }] of rows)
    console.log(`| ${name} | ${(items / PAGES).toFixed(2)} | ${(units / PAGES).toFixed(2)} |`);
  const sum = rows.reduce((all, [, { units }]) => all + units, 0);
  console.log(`| all | | ${(sum / PAGES).toFixed(2)} |`);
}
