import { type Clock, isDue } from '../clock.ts';
import type { Item, Key, Table } from '../ports/table.ts';

/* An organisation sends one message at a time, so that its slow receivers do not delay those of others. */

/** Longer than an attempt. After a crash the turn ends by itself. */
const LEASE_MS = 20_000;
/** Milliseconds between postponed messages, so that a long queue costs five reads a second. */
const SPACING_MS = 200;

type Turn = {
  readonly until?: number;
  /** Epoch milliseconds at which the last postponed message is delivered again. */
  readonly waitUntil?: number;
};
type Deps = { readonly table: Table; readonly clock: Clock };

const turnKey = (orgId: string): Key => ({ pk: `ORG#${orgId}`, sk: 'DELIVERING' });

/**
 * Takes the turn of an organisation. Returns a function that ends it; undefined while another message of the
 * organisation is being sent.
 */
export async function takeTurn(orgId: string, { table, clock }: Deps): Promise<(() => Promise<void>) | undefined> {
  const now = clock();
  const until = now + LEASE_MS;
  const known = (await table.get<Turn & Item>(turnKey(orgId)))?.until;
  if (known !== undefined && !isDue(known, now, LEASE_MS)) return undefined;
  const taken = await table.update(turnKey(orgId), { set: { until }, when: { equals: { until: known ?? null } } });
  if (!taken) return undefined;
  return async () => {
    await table.update(turnKey(orgId), { unset: ['until'], when: { equals: { until } } });
  };
}

/** Returns the seconds after which a message without a turn is delivered again, at most `most`. */
export async function secondsToTurn(orgId: string, most: number, { table, clock }: Deps): Promise<number> {
  const now = clock();
  const { waitUntil = now } = (await table.get<Turn & Item>(turnKey(orgId))) ?? {};
  const last = isDue(waitUntil, now, most * 1000) ? now : waitUntil;
  const next = Math.min(last + SPACING_MS, now + most * 1000);
  await table.update(turnKey(orgId), { set: { waitUntil: next } });
  return Math.ceil((next - now) / 1000);
}
