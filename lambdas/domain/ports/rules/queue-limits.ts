import type { QueueMessage } from '../queue.ts';

/* The limits of `Queue`, checked by every adapter. Exceeding one is a programming error: a RangeError. */

const MAX_BODY_BYTES = 262_144;
const MAX_DELAY_SECONDS = 900;
const MAX_RELEASE_SECONDS = 43_200;
const MAX_ID_LENGTH = 128;
const MAX_MESSAGES = 10;
const MAX_WAIT_SECONDS = 20;

export function checkMessage(queue: string, fifo: boolean, message: QueueMessage): void {
  const bytes = Buffer.byteLength(message.body);
  checkWithin('The size of a message in bytes', bytes, 1, MAX_BODY_BYTES);
  if (fifo !== 'group' in message) {
    throw new RangeError(
      `A message of the queue ${queue} must have ${fifo ? 'a group and a deduplication id' : 'no group'}`,
    );
  }
  if ('group' in message) {
    checkWithin('The length of a group name', message.group.length, 1, MAX_ID_LENGTH);
    checkWithin('The length of a deduplication id', message.deduplicationId.length, 1, MAX_ID_LENGTH);
  } else {
    checkWithin('delaySeconds', message.delaySeconds ?? 0, 0, MAX_DELAY_SECONDS);
  }
}

export function checkReceive(max: number, waitSeconds: number): void {
  checkWithin('max', max, 1, MAX_MESSAGES);
  checkWithin('waitSeconds', waitSeconds, 0, MAX_WAIT_SECONDS);
}

export function checkRelease(delaySeconds: number): void {
  checkWithin('delaySeconds', delaySeconds, 0, MAX_RELEASE_SECONDS);
}

function checkWithin(what: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) throw new RangeError(`${what} must be ${min} to ${max}, not ${value}`);
}
