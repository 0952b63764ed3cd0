/**
 * A message. In a FIFO queue it has a group, within which order is kept, and a deduplication id: further messages with
 * the same id are dropped for 5 minutes. Groups whose names share the part before a `/` have fewer messages in flight
 * while others wait: a laptop's queue first delivers the groups with the fewest; SQS delivers groups at random. In
 * other queues a message may be delayed by 0 to 900 s.
 */
export type QueueMessage = { readonly body: string } & (
  | { readonly group: string; readonly deduplicationId: string }
  | { readonly delaySeconds?: number }
);

export type ReceivedMessage = {
  readonly body: string;
  /** Identifies this delivery: each delivery of a message has its own receipt. */
  readonly receipt: string;
  /** 1 for the first delivery. */
  readonly receiveCount: number;
};

/**
 * The queues that `messages.ts` defines, with the visibility timeout, receive limit and dead-letter queue given
 * there. A body has 1 to 262,144 bytes. Delivery is at least once: a message that is not acknowledged within its
 * visibility timeout is delivered again, and after its last delivery it moves to the dead-letter queue. While a
 * message of a FIFO group is in flight, the rest of the group waits. Methods throw `UnavailableError`
 * (domain/errors.ts); `receive` may take `waitSeconds` longer.
 */
export interface Queue {
  send(queue: string, message: QueueMessage): Promise<void>;

  /** Returns 1 to `max` messages (10 at most) as soon as there are any, or none after `waitSeconds` (0 to 20). */
  receive(
    queue: string,
    options: { readonly max: number; readonly waitSeconds: number },
  ): Promise<readonly ReceivedMessage[]>;

  /** Deletes the message. A receipt that a later delivery replaced is ignored. */
  acknowledge(queue: string, receipt: string): Promise<void>;

  /** Ends the visibility timeout early: the message is delivered again after `delaySeconds` (0 to 43,200). */
  release(queue: string, receipt: string, delaySeconds: number): Promise<void>;
}
