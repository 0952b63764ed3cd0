/** A FIFO message is ordered within its group and kept once per deduplication id for 5 minutes; another may be delayed, up to 900 s. */
export type QueueMessage = { readonly body: string } & (
  | { readonly group: string; readonly deduplicationId: string }
  | { readonly delaySeconds?: number }
);

export type ReceivedMessage = {
  readonly body: string;
  /** Names this delivery, not the message: a later delivery of the same message has another one. */
  readonly receipt: string;
  /** 1 for the first delivery. */
  readonly receiveCount: number;
};

/**
 * The queues that `messages.ts` names, with the visibility time-out, the number of receives and the dead-letter queue given there.
 * A body has at most 256 kB. ReceivedMessage is at least once: a message that is not acknowledged within the visibility time-out comes
 * again, after the last receive it moves to the dead-letter queue. While a message of a FIFO group is out, the rest of its group waits.
 */
export interface Queue {
  send(queue: string, message: QueueMessage): Promise<void>;

  /** At most 10, as soon as there is one, else none after `waitSeconds` (0 to 20). */
  receive(
    queue: string,
    options: { readonly max: number; readonly waitSeconds: number },
  ): Promise<readonly ReceivedMessage[]>;

  /** The message is done. A receipt that has been overtaken is ignored. */
  acknowledge(queue: string, receipt: string): Promise<void>;

  /** Gives the message back before its time-out, to be delivered again after `delaySeconds`. */
  release(queue: string, receipt: string, delaySeconds: number): Promise<void>;
}
