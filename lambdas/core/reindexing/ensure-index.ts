import { type Clock, epochSeconds } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import {
  changeSpaces,
  dropping,
  isSameKind,
  readSpaces,
  type Space,
  type SpaceKind,
  type SpaceRecord,
  sendMove,
} from './index-registry.ts';

export type AdoptDeps = {
  readonly table: Table;
  readonly queue: Queue;
  readonly clock: Clock;
  /** A name that no index has had. */
  readonly newName: (kind: SpaceKind) => string;
  /** Makes the index unless it is there; answers whether it was missing. */
  readonly make: (space: Space) => Promise<boolean>;
  /** Whether an index of another kind can be searched until its pages have moved. If not, a new one is searched while it is being filled. */
  readonly canStay: (searched: Space) => boolean;
  /** How long what runs now may go on without having heard of a move: pages are not read before. */
  readonly fillAfterSeconds: number;
  readonly pauseSeconds: number;
};

/** At each one another change has come first. */
const ATTEMPTS = 5;

/**
 * Sees to it that there is an index of this kind and that it will be searched: makes the first one, begins a move from one of another
 * kind, turns one back, or fills one anew that was lost. Does nothing where all is so already; then again is harmless.
 */
export async function adoptSpace(kind: SpaceKind, deps: AdoptDeps): Promise<SpaceRecord> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await readSpaces(deps.table);
    const next = await adopted(kind, before, deps);
    const record = next === before ? before : await changeSpaces(before, next, deps);
    if (!record) continue;
    await sendMove(record, deps.queue);
    return record;
  }
  throw new UnavailableError('the index is being moved by others: try again');
}

type Next = Omit<SpaceRecord, 'slice' | 'changedAt'>;

async function adopted(kind: SpaceKind, before: SpaceRecord | undefined, deps: AdoptDeps): Promise<Next> {
  const { pauseSeconds, fillAfterSeconds } = deps;
  const notBefore = epochSeconds(deps.clock) + fillAfterSeconds;
  const fill = { step: 'fill', after: undefined, notBefore, pauseSeconds } as const;
  if (before && isSameKind(before.searched, kind)) {
    const isMissing = await deps.make(before.searched);
    if (isMissing) return { ...before, ...fill, also: undefined, left: leaving(before) };
    const isTurnedBack = before.step === 'fill' && before.also !== undefined;
    return isTurnedBack ? { ...before, ...dropping(before, deps) } : before;
  }
  if (before?.also && before.step === 'fill' && isSameKind(before.also, kind)) {
    const isMissing = await deps.make(before.also);
    return isMissing ? { ...before, ...fill } : before;
  }
  const made: Space = { ...kind, index: deps.newName(kind) };
  await deps.make(made);
  if (before && deps.canStay(before.searched)) return { ...before, ...fill, also: made, left: leaving(before) };
  return { ...fill, searched: made, left: before?.left ?? [] };
}

const leaving = ({ left, also }: SpaceRecord): readonly string[] => (also ? [...left, also.index] : left);
