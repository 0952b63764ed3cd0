import type { QueueMessage } from '../../core/ports/queue.ts';

/* What `Queue` documents, enforced on a laptop as in AWS: going beyond is a fault of the program, a RangeError. */

const MAX_BODY_BYTES = 262_144;
const MAX_DELAY_SECONDS = 900;
const MAX_RELEASE_SECONDS = 43_200;
const MAX_ID_LENGTH = 128;
const MAX_DELIVERIES = 10;
const MAX_WAIT_SECONDS = 20;

export function checkOutgoing(queue: string, fifo: boolean, message: QueueMessage): void {
  const bytes = Buffer.byteLength(message.body);
  checkWithin('The bytes of a message', bytes, 1, MAX_BODY_BYTES);
  if (fifo !== 'group' in message) {
    throw new RangeError(`A message of ${queue} has ${fifo ? 'a group and a deduplication id' : 'no group'}`);
  }
  if ('group' in message) {
    checkWithin('The letters of a group', message.group.length, 1, MAX_ID_LENGTH);
    checkWithin('The letters of a deduplication id', message.deduplicationId.length, 1, MAX_ID_LENGTH);
  } else {
    checkWithin('delaySeconds', message.delaySeconds ?? 0, 0, MAX_DELAY_SECONDS);
  }
}

export function checkReceive(max: number, waitSeconds: number): void {
  checkWithin('max', max, 1, MAX_DELIVERIES);
  checkWithin('waitSeconds', waitSeconds, 0, MAX_WAIT_SECONDS);
}

export function checkRelease(delaySeconds: number): void {
  checkWithin('delaySeconds', delaySeconds, 0, MAX_RELEASE_SECONDS);
}

function checkWithin(what: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) throw new RangeError(`${what}: ${min} to ${max}, not ${value}`);
}
