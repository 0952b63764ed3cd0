import { createHmac } from 'node:crypto';
import { subscriberOf } from '../../text/web/address.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { dayOf } from '../ports/rules/days.ts';
import type { Counters, Key, TableReader } from '../ports/table.ts';
import { isOfAddress } from '../sites/limits/limit.ts';

type VisitorDeps = {
  readonly table: TableReader & Counters;
  readonly clock: Clock;
  readonly newSecret: () => string;
};

const KEPT_DAYS = 2;
const DAY_SECONDS = 86_400;
const NAME_LENGTH = 16;

const secretKey = (day: string): Key => ({ pk: 'VISITORS', sk: `SECRET#${day}` });

/**
 * Distinguishes visitors without storing who they are: a name is a hash of the address with a secret that is drawn each
 * day and deleted on the next. All processes share the secret. A visitor has another name on each day and each site.
 */
export class VisitorNames {
  readonly #deps: VisitorDeps;
  /** The secret of today, and that of yesterday until the first minute of today has ended. */
  readonly #secrets = new Map<string, Promise<string>>();

  constructor(deps: VisitorDeps) {
    this.#deps = deps;
  }

  nameOf(address: string, siteId: string): Promise<string> {
    return this.#hash(`${siteId} ${subscriberOf(address)}`, this.#deps.clock());
  }

  /** Returns the name of a rate limit's counter in the table. It replaces an address with its hash. */
  async counterName(counter: string, at: number): Promise<string> {
    return isOfAddress(counter) ? `ADDRESS#${await this.#hash(counter, at)}` : counter;
  }

  async #hash(text: string, at: number): Promise<string> {
    const secret = await this.#secretOf(dayOf(at));
    return createHmac('sha256', secret).update(text).digest('hex').slice(0, NAME_LENGTH);
  }

  /** Reads the secret once per day. */
  #secretOf(day: string): Promise<string> {
    const known = this.#secrets.get(day);
    if (known) return known;
    const secret = this.#readSecret(day);
    this.#secrets.set(day, secret);
    const [oldest = day] = this.#secrets.keys();
    if (this.#secrets.size > KEPT_DAYS) this.#secrets.delete(oldest);
    secret.catch(() => this.#secrets.delete(day));
    return secret;
  }

  async #readSecret(day: string): Promise<string> {
    const { table, clock, newSecret } = this.#deps;
    const key = secretKey(day);
    const made = { secret: newSecret(), expiresAt: epochSeconds(clock) + KEPT_DAYS * DAY_SECONDS };
    await table.update(key, { set: made, when: { exists: false } });
    const stored = await table.get<{ readonly secret: string }>(key);
    return stored?.secret ?? made.secret;
  }
}
