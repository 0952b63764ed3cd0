import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ReceivedMessage } from '../../../core/ports/queue.ts';

const DEDUPLICATION_MS = 5 * 60 * 1000;

/** Forgotten at every send, so that what has run out never piles up. */
const FORGOTTEN_PER_SEND = 100;

export type Sending = {
  readonly queue: string;
  readonly body: string;
  readonly delaySeconds: number;
  readonly fifo?: { readonly group: string; readonly deduplicationId: string };
};

export type Receiving = {
  readonly queue: string;
  readonly max: number;
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
  readonly deadLetters: string | undefined;
};

/**
 * `Queue` over SQLite, without the waiting. `now` is in epoch milliseconds; `ring` is told the queue in which
 * something may have become visible.
 */
export function queueStore(database: DatabaseSync, now: () => number, ring: (queue: string) => void) {
  const insert = database.prepare(
    'INSERT INTO message (queue, message_group, body, visible_at) VALUES (:queue, :group, :body, :visibleAt)',
  );
  const remember = database.prepare(
    `INSERT INTO deduplication VALUES (:queue, :id, :expiresAt)
     ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at WHERE expires_at <= :now`,
  );
  const forget = database.prepare(
    `DELETE FROM deduplication WHERE (queue, deduplication_id) IN
       (SELECT queue, deduplication_id FROM deduplication WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit)`,
  );
  const bury = database.prepare(
    `UPDATE message SET queue = :deadLetters, visible_at = :now, receive_count = 0, receipt = NULL
     WHERE queue = :queue AND receive_count > 0 AND receive_count >= :maxReceives AND +visible_at <= :now`,
  );
  // Of a group only its first message is due: the rest waits until that one is gone.
  const selectDue = database.prepare(
    `SELECT id, body, receive_count AS receiveCount FROM message AS due
     WHERE queue = :queue AND visible_at <= :now AND (message_group IS NULL OR NOT EXISTS (
       SELECT 1 FROM message AS earlier
       WHERE earlier.queue = due.queue AND earlier.message_group = due.message_group AND earlier.id < due.id))
     ORDER BY visible_at, id LIMIT :max`,
  );
  const deliver = database.prepare(
    'UPDATE message SET visible_at = :visibleAt, receive_count = receive_count + 1, receipt = :receipt WHERE id = :id',
  );
  const acknowledge = database.prepare('DELETE FROM message WHERE queue = :queue AND receipt = :receipt');
  const release = database.prepare(
    'UPDATE message SET visible_at = :visibleAt, receipt = NULL WHERE queue = :queue AND receipt = :receipt',
  );
  const revive = database.prepare(
    'UPDATE message SET visible_at = :now, receipt = NULL WHERE receipt IS NOT NULL AND visible_at > :now',
  );

  /** Whether a FIFO message is the first of its deduplication id in five minutes. */
  const isNew = (queue: string, id: string): boolean => {
    forget.run({ now: now(), limit: FORGOTTEN_PER_SEND });
    return remember.run({ queue, id, now: now(), expiresAt: now() + DEDUPLICATION_MS }).changes === 1;
  };

  return {
    send({ queue, body, delaySeconds, fifo }: Sending): void {
      if (fifo !== undefined && !isNew(queue, fifo.deduplicationId)) return;
      insert.run({ queue, body, group: fifo?.group ?? null, visibleAt: now() + delaySeconds * 1000 });
      ring(queue);
    },

    receive({ queue, max, visibilitySeconds, maxReceives, deadLetters }: Receiving): readonly ReceivedMessage[] {
      if (deadLetters !== undefined && bury.run({ queue, deadLetters, maxReceives, now: now() }).changes > 0) {
        ring(deadLetters);
      }
      const due = selectDue.all({ queue, max, now: now() }) as DueMessage[];
      return due.map(({ id, body, receiveCount }) => {
        const receipt = randomUUID();
        deliver.run({ id, receipt, visibleAt: now() + visibilitySeconds * 1000 });
        return { body, receipt, receiveCount: receiveCount + 1 };
      });
    },

    acknowledge(queue: string, receipt: string): void {
      acknowledge.run({ queue, receipt });
      // It may be what the rest of its group waited for.
      ring(queue);
    },

    release(queue: string, receipt: string, delaySeconds: number): void {
      release.run({ queue, receipt, visibleAt: now() + delaySeconds * 1000 });
      ring(queue);
    },

    /** Makes every message in flight visible, and its receipt worthless; answers how many. */
    reviveInFlight: () => Number(revive.run({ now: now() }).changes),
  };
}

type DueMessage = { readonly id: number; readonly body: string; readonly receiveCount: number };
