import type { DatabaseSync } from 'node:sqlite';
import { UnavailableError } from '../../core/errors.ts';
import { Caller } from './engine/calls.ts';
import { type Engine, engineIsOpen, setEngine } from './engine/current.ts';
import { openReader } from './engine/database.ts';
import { errorOf, failureOf } from './engine/failure.ts';
import { type Attachment, StoreHost } from './engine/store-host.ts';
import { openReads, type Reads } from './engine/stores.ts';

export { closeEngine } from './engine/current.ts';

/**
 * Opens the file of the folder, once per process. Throws an error of one line that says what to do. `onError` is called
 * if work in the background fails; it is tried again later.
 */
export async function openEngine(dataDir: string, onError: (error: unknown) => void = () => {}): Promise<StoreHost> {
  if (engineIsOpen()) throw new Error('The local store is already open');
  const host = new StoreHost(dataDir, onError);
  setEngine(host);
  return host;
}

/** Makes this thread use the engine that another thread has opened. */
export function attachEngine(attachment: Attachment): void {
  setEngine(new AttachedEngine(attachment));
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
