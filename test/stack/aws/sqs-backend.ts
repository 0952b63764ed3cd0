import type { AccountClock } from '../account-clock.ts';
import type { Backend } from './aws-proxy.ts';
import { askEngine } from './engine-request.ts';

/**
 * SQS on ElasticMQ, whose clock cannot be moved: a message with a delay is sent without one, and the time at which it
 * is due is kept here. The poller of its queue holds it until then.
 */
export class SqsBackend {
  readonly #dueTimes = new Map<string, number>();
  readonly #url: string;
  readonly #clock: AccountClock;

  constructor(url: string, clock: AccountClock) {
    this.#url = url;
    this.#clock = clock;
  }

  dueTime(messageId: string): number {
    return this.#dueTimes.get(messageId) ?? 0;
  }

  readonly answer: Backend = async (call, headers) => {
    const { DelaySeconds = 0, ...message } = JSON.parse(String(call.body)) as { DelaySeconds?: number };
    const body = Buffer.from(JSON.stringify(message));
    const answer = await askEngine(this.#url, { ...call, headers, body });
    const { MessageId } = JSON.parse(String(answer.body)) as { MessageId?: string };
    if (DelaySeconds > 0 && MessageId) this.#dueTimes.set(MessageId, this.#clock.now() + DelaySeconds * 1000);
    return answer;
  };
}
