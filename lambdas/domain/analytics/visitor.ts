import { createHmac } from 'node:crypto';
import { networkOf } from '../../text/web/address.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { dayOf } from '../ports/rules/days.ts';
import type { Key, Notes, TableReader } from '../ports/table.ts';

type VisitorDeps = {
  readonly table: TableReader & Notes;
  readonly clock: Clock;
  readonly newSecret: () => string;
};

const KEPT_SECONDS = 2 * 86_400;
const NAME_LENGTH = 16;

const secretKey = (day: string): Key => ({ pk: 'VISITORS', sk: `SECRET#${day}` });

/**
 * Tells visitors apart without keeping who they are: a hash of the address with a secret that is drawn each day and
 * deleted with the next. All processes share it. The same visitor has another name on each day and each site.
 */
export class VisitorNames {
  readonly #deps: VisitorDeps;
  #current: { readonly day: string; readonly secret: Promise<string> } | undefined;

  constructor(deps: VisitorDeps) {
    this.#deps = deps;
  }

  async nameOf(address: string, siteId: string): Promise<string> {
    const day = dayOf(this.#deps.clock());
    if (this.#current?.day !== day) this.#current = { day, secret: this.#secretOf(day) };
    const hash = createHmac('sha256', await this.#current.secret).update(`${siteId} ${networkOf(address)}`);
    return hash.digest('hex').slice(0, NAME_LENGTH);
  }

  async #secretOf(day: string): Promise<string> {
    const { table, clock, newSecret } = this.#deps;
    try {
      const key = secretKey(day);
      const made = { secret: newSecret(), expiresAt: epochSeconds(clock) + KEPT_SECONDS };
      await table.update(key, { set: made, when: { exists: false } });
      const stored = await table.get<{ readonly secret: string }>(key);
      return stored?.secret ?? made.secret;
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
  }
}
