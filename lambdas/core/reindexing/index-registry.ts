import { type Clock, epochSeconds } from '../clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import type { PagePlace } from './backfill.ts';

/** A model behind the OpenAI API, without its key. */
export type Provider = { readonly baseUrl: string; readonly model: string };

/** What makes an index another one: its layout, and what makes its vectors. No `provider`: the built-in table. */
export type SpaceKind = {
  readonly layout: string;
  readonly space: string;
  readonly dimensions: number;
  readonly provider?: Provider;
};

/** An index. No other ever has its name, so that nothing is left in it of an earlier one. */
export type Space = SpaceKind & { readonly index: string };

/**
 * Which index is searched, and how far the move to another is. `fill`: pages are put into `also`, or into what is searched if there is
 * none. `leave`: `also` is what was searched before; who has not heard of the move yet searches it still. `drop`: it is removed.
 */
export type SpaceRecord = {
  readonly searched: Space;
  /** Written as well. */
  readonly also?: Space | undefined;
  /** Names of indices that nobody uses any more. */
  readonly left: readonly string[];
  readonly step?: 'fill' | 'leave' | 'drop' | undefined;
  /** Rises with every change: a message that names another one is late. */
  readonly slice: number;
  /** After which site or page to go on filling. */
  readonly after?: { readonly siteId: string; readonly page?: PagePlace } | undefined;
  /** Epoch seconds before which the step is not taken. */
  readonly notBefore: number;
  /** How long to wait until everyone has heard of a change and has ended what was begun before. */
  readonly pauseSeconds: number;
  /** Epoch seconds of the last change, for the watchdog. */
  readonly changedAt: number;
};

const KEY = { pk: 'SPACE', sk: 'ACTIVE' };

export const isSameKind = (one: SpaceKind, other: SpaceKind): boolean =>
  one.layout === other.layout && one.space === other.space;

/** Undefined before the first index was made. */
export async function readSpaces(table: Table): Promise<SpaceRecord | undefined> {
  const item = await table.get<SpaceRecord>(KEY);
  if (!item) return undefined;
  const { pk, sk, ...record } = item;
  return record;
}

/** Writes the record unless it has changed since it was read; undefined if it has. */
export async function changeSpaces(
  before: SpaceRecord | undefined,
  changed: Omit<SpaceRecord, 'slice' | 'changedAt'>,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<SpaceRecord | undefined> {
  const record = { ...changed, slice: (before?.slice ?? 0) + 1, changedAt: epochSeconds(clock) };
  const when = before ? { equals: { slice: before.slice } } : { exists: false };
  const refused = await table.write([{ put: { ...KEY, ...record }, when }]);
  return refused.length === 0 ? record : undefined;
}

export const afterPause = ({ pauseSeconds }: SpaceRecord, { clock }: { readonly clock: Clock }): number =>
  epochSeconds(clock) + pauseSeconds;

/** The change by which what is written besides is written no more; it goes when the last who might write it has ended. */
export function dropping(record: SpaceRecord, deps: { readonly clock: Clock }) {
  const { left, also } = record;
  const notBefore = afterPause(record, deps);
  return {
    step: 'drop',
    also: undefined,
    after: undefined,
    left: also ? [...left, also.index] : left,
    notBefore,
  } as const;
}

/** Tells the worker of the step that is next, if there is one. */
export async function sendMove({ step, slice }: SpaceRecord, queue: Queue): Promise<void> {
  if (step === undefined) return;
  const message = { body: JSON.stringify({ slice }), group: 'SPACE', deduplicationId: `slice-${slice}` };
  await queue.send('move-index', message);
}
