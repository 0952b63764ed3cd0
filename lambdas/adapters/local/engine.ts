import type { DatabaseSync } from 'node:sqlite';
import { UnavailableError } from '../../core/errors.ts';
import { Caller } from './engine/calls.ts';
import { openReader } from './engine/database.ts';
import { errorOf, failureOf } from './engine/failure.ts';
import { type Attachment, StoreHost } from './engine/store-host.ts';
import { openReads, type Reads } from './engine/stores.ts';

/** The store as one thread of the process uses it: it reads by function calls, and writes by calls. */
export type Engine = {
  readonly reads: Reads;
  readonly call: Caller['stores'];
  readonly close: () => Promise<void>;
};

let current: Engine | undefined;

/** Opens the file of the folder, once per process. Throws an error of one line that says what to do. */
export async function openEngine(dataDir: string): Promise<StoreHost> {
  refuseSecond();
  const host = new StoreHost(dataDir);
  current = host;
  return host;
}

/** Makes this thread use the engine that another thread has opened. */
export function attachEngine(attachment: Attachment): void {
  refuseSecond();
  current = new AttachedEngine(attachment);
}

/** Waits for this thread's calls. The thread that opened the file also closes it. */
export async function closeEngine(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}

export function engine(): Engine {
  if (current === undefined) throw new Error('The local store is not open: call openEngine(dataDir) first');
  return current;
}

export function engineIsOpen(): boolean {
  return current !== undefined;
}

function refuseSecond(): void {
  if (current !== undefined) throw new Error('The local store is already open');
}

/** Every call fails once the engine has ended. */
class AttachedEngine implements Engine {
  readonly #attachment: Attachment;
  readonly #caller: Caller;
  #database: DatabaseSync | undefined;
  #reads: Reads | undefined;

  constructor(attachment: Attachment) {
    const { port } = attachment;
    this.#attachment = attachment;
    this.#caller = new Caller((call) => void port.postMessage(call));
    port.on('message', (message) => this.#caller.receive(message));
    port.on('close', () => this.#caller.end(new UnavailableError('The storage engine has ended')));
  }

  get call(): Caller['stores'] {
    return this.#caller.stores;
  }

  get reads(): Reads {
    this.#reads ??= this.#openReads();
    return this.#reads;
  }

  #openReads(): Reads {
    try {
      this.#database = openReader(this.#attachment.file);
      return openReads(this.#database);
    } catch (error) {
      throw errorOf(failureOf(error));
    }
  }

  async close(): Promise<void> {
    await this.#caller.settled();
    this.#attachment.port.close();
    this.#database?.close();
  }
}
