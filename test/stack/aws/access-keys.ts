import { randomBytes } from 'node:crypto';
import type { AccessKey } from './signature.ts';

/** The temporary keys with which functions act, one for each role. */
export class AccessKeys {
  readonly #byRole = new Map<string, AccessKey>();
  readonly #byId = new Map<string, AccessKey>();

  ofRole(role: string): AccessKey {
    const known = this.#byRole.get(role);
    if (known) return known;
    const text = (bytes: number): string => randomBytes(bytes).toString('hex');
    const key = { id: `ASIA${text(8).toUpperCase()}`, secret: text(20), sessionToken: text(32), role };
    this.#byRole.set(role, key);
    this.#byId.set(key.id, key);
    return key;
  }

  readonly byId = (id: string): AccessKey | undefined => this.#byId.get(id);
}
