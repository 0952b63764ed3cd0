import type { DatabaseSync } from 'node:sqlite';
import type { QueueMessage, ReceivedMessage } from '../../lambdas/domain/ports/queue.ts';
import type { QueueDefinition } from '../../lambdas/messages.ts';

const DEDUPLICATION_MS = 5 * 60 * 1000;

/** The most expired deduplication ids that a send deletes, so that they do not accumulate. */
const FORGOTTEN_PER_SEND = 100;

type ReceiveRules = Pick<QueueDefinition, 'visibilitySeconds' | 'maxReceives'> & {
  readonly deadLetters?: string | undefined;
};

/** Stores the messages of all queues. `now` is in epoch milliseconds and never goes back while the store is open. */
export function queueStore(database: DatabaseSync, now: () => number) {
  const anyMessage = database.prepare('SELECT 1 FROM message WHERE queue = ? LIMIT 1');
  const insert = database.prepare(
    `INSERT INTO message (queue, message_group, body, visible_at, set_at)
     VALUES (:queue, :group, :body, :visibleAt, :now)`,
  );
  const remember = database.prepare(
    `INSERT INTO deduplication VALUES (:queue, :id, :expiresAt)
     ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at WHERE expires_at <= :now`,
  );
  const forget = database.prepare(
    `DELETE FROM deduplication WHERE (queue, deduplication_id) IN
       (SELECT queue, deduplication_id FROM deduplication WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit)`,
  );
  const moveToDeadLetters = database.prepare(
    `UPDATE message SET queue = :deadLetters, visible_at = :now, set_at = :now, receive_count = 0, receipt = NULL
     WHERE queue = :queue AND receive_count > 0 AND receive_count >= :maxReceives AND +visible_at <= :now`,
  );
  // Only the first message of a group is due, until it is deleted. Owners with fewer messages in flight come first.
  const ownerOf = (group: string): string => `substr(${group}, 1, instr(${group}, '/'))`;
  const deliver = database.prepare(
    `WITH flying AS (SELECT ${ownerOf('message_group')} AS owner, count(*) AS messages FROM message
       WHERE queue = :queue AND message_group IS NOT NULL AND receipt IS NOT NULL AND visible_at > :now GROUP BY owner)
     UPDATE message SET visible_at = :visibleAt, set_at = :now, receive_count = receive_count + 1,
       receipt = hex(randomblob(16))
     WHERE id IN (SELECT id FROM message AS due
       WHERE queue = :queue AND visible_at <= :now AND (message_group IS NULL OR NOT EXISTS (
         SELECT 1 FROM message AS earlier
         WHERE earlier.queue = due.queue AND earlier.message_group = due.message_group AND earlier.id < due.id))
       ORDER BY (SELECT messages FROM flying WHERE owner = ${ownerOf('due.message_group')}), visible_at, id LIMIT :max)
     RETURNING body, receipt, receive_count AS receiveCount`,
  );
  const acknowledge = database.prepare('DELETE FROM message WHERE queue = :queue AND receipt = :receipt');
  const release = database.prepare(
    `UPDATE message SET visible_at = :visibleAt, set_at = :now, receipt = NULL
     WHERE queue = :queue AND receipt = :receipt`,
  );
  const releaseAll = database.prepare(
    `UPDATE message SET visible_at = min(visible_at, :now), set_at = :now, receipt = NULL,
       receive_count = receive_count - (queue IN (SELECT value FROM json_each(:uncounted)))
     WHERE receipt IS NOT NULL`,
  );
  const count = database.prepare('SELECT count(*) AS messages FROM message');

  const after = (seconds: number) => ({ now: now(), visibleAt: now() + seconds * 1000 });

  /** Tells whether a FIFO message is the first with its deduplication id within five minutes. */
  const isNew = (queue: string, id: string): boolean => {
    forget.run({ now: now(), limit: FORGOTTEN_PER_SEND });
    return remember.run({ queue, id, now: now(), expiresAt: now() + DEDUPLICATION_MS }).changes === 1;
  };

  return {
    isEmpty: (queue: string): boolean => anyMessage.get(queue) === undefined,

    send(queue: string, message: QueueMessage): void {
      const { body } = message;
      if (!('group' in message)) insert.run({ queue, body, group: null, ...after(message.delaySeconds ?? 0) });
      else if (isNew(queue, message.deduplicationId)) insert.run({ queue, body, group: message.group, ...after(0) });
    },

    receive(queue: string, max: number, rules: ReceiveRules): readonly ReceivedMessage[] {
      const { visibilitySeconds, maxReceives, deadLetters } = rules;
      if (deadLetters !== undefined) moveToDeadLetters.run({ queue, deadLetters, maxReceives, now: now() });
      return deliver.all({ queue, max, ...after(visibilitySeconds) }) as ReceivedMessage[];
    },

    acknowledge(queue: string, receipt: string): void {
      acknowledge.run({ queue, receipt });
    },

    release(queue: string, receipt: string, delaySeconds: number): void {
      release.run({ queue, receipt, ...after(delaySeconds) });
    },

    /** Returns the number of messages in all queues. */
    size: () => Number(count.get()?.messages),

    /**
     * Makes the messages in flight visible and invalidates their receipts. Messages of the `uncounted` queues count as
     * not received. Returns the number of messages.
     */
    releaseInFlight: (uncounted: readonly string[] = []) =>
      Number(releaseAll.run({ now: now(), uncounted: JSON.stringify(uncounted) }).changes),

    /**
     * Corrects times in the future, which remain if the clock was turned back since the last start. Messages would wait
     * until then, and new ones would be dropped as duplicates: such messages become due, and such deduplication ids are
     * deleted.
     */
    forgetFuture(): void {
      database.prepare('UPDATE message SET visible_at = :now, set_at = :now WHERE set_at > :now').run({ now: now() });
      database.prepare('DELETE FROM deduplication WHERE expires_at > ?').run(now() + DEDUPLICATION_MS);
    },
  };
}
