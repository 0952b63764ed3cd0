import type { IncomingMessage } from 'node:http';
import { AppError } from '../../lambdas/domain/errors.ts';
import { LOCAL_INGESTION_BYTES, SMALL_BODY_BYTES } from '../../lambdas/runtime/body.ts';

/**
 * The bytes of bodies in memory at once: of those up to 64 kB, and of larger ones. The largest ingestion fits, with the
 * extra byte by which a larger one is refused. While it is processed, other large bodies are refused, and their clients
 * send them again.
 */
const ROOM = { small: 64_000_000, large: LOCAL_INGESTION_BYTES + 1 };

/**
 * Holds the bodies of all requests in memory. Counts their bytes as they arrive, because a declared length may be
 * wrong.
 */
export class BodyMemory {
  readonly #free = { ...ROOM };

  /**
   * Reads the body of a request. Of a body that is too large, keeps one byte more than allowed, by which the endpoint
   * refuses it, and does not read the rest. Calls `limitOf` for the limit of a body of more than 64 kB, in bytes.
   * Throws as soon as there is no room for the body. `release` frees the room.
   */
  async read(request: IncomingMessage, limitOf: () => Promise<number>): Promise<HeldBody> {
    const held = new HeldBody(this.#free);
    try {
      let limit = SMALL_BODY_BYTES;
      let isLarge = false;
      for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (!isLarge && held.bytes + part.length > SMALL_BODY_BYTES) {
          isLarge = true;
          limit = await limitOf();
        }
        held.keep(part, limit + 1);
        if (held.isRefused) throw busy();
        if (held.bytes > limit) break;
      }
    } catch (error) {
      held.release();
      throw error;
    }
    return held;
  }
}

class HeldBody {
  bytes = 0;
  isRefused = false;
  #parts: Buffer[] = [];
  #room: keyof typeof ROOM = 'small';
  readonly #free: Record<keyof typeof ROOM, number>;

  constructor(free: Record<keyof typeof ROOM, number>) {
    this.#free = free;
  }

  keep(part: Buffer, most: number): void {
    const kept = part.subarray(0, most - this.bytes);
    if (this.isRefused || kept.length === 0) return;
    if (this.#room === 'small' && this.bytes + kept.length > SMALL_BODY_BYTES + 1) this.#moveTo('large');
    this.bytes += kept.length;
    this.#free[this.#room] -= kept.length;
    this.#parts.push(Buffer.from(kept)); // a copy, because the part belongs to a larger buffer of the socket
    if (this.#free[this.#room] >= 0) return;
    this.isRefused = true;
    this.release();
  }

  take(): Buffer {
    const body = Buffer.concat(this.#parts);
    this.#parts = [];
    return body;
  }

  release(): void {
    this.#free[this.#room] += this.bytes;
    this.bytes = 0;
    this.#parts = [];
  }

  #moveTo(room: keyof typeof ROOM): void {
    this.#free[this.#room] += this.bytes;
    this.#free[room] -= this.bytes;
    this.#room = room;
  }
}

const busy = (): AppError =>
  new AppError('upstream_unavailable', 'Too many large requests are being read. Try again in a few seconds.');
