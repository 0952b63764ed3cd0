import { DamagedStoreError, StoreFullError, UnavailableError } from '../../../core/errors.ts';
import { FILE_NAME } from './database.ts';
import { damagedFile } from './open-failure.ts';
import { fileFailure } from './sqlite-error.ts';

/**
 * Why a method of a store failed, as a message between threads can tell it. `limit`: beyond a documented limit.
 * `full`: the disk is. `unavailable`: the file cannot be used for now. `damaged`: it can never be. `fault`: any other
 * error.
 */
export type Failure = {
  readonly kind: 'limit' | 'full' | 'unavailable' | 'damaged' | 'fault';
  readonly message: string;
  readonly cause: unknown;
};

export function failureOf(cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof RangeError) return { kind: 'limit', message, cause };
  return { kind: fileFailure(cause) ?? 'fault', message, cause };
}

export function errorOf({ kind, message, cause }: Failure): Error {
  if (kind === 'limit') return new RangeError(message, { cause });
  if (kind === 'full') return new StoreFullError('The disk of the data folder is full', { cause });
  if (kind === 'damaged') return new DamagedStoreError(damagedFile(FILE_NAME).message, { cause });
  if (kind === 'unavailable') return new UnavailableError(`The local store cannot be used: ${message}`, { cause });
  return new Error(`The storage engine failed: ${message}`, { cause });
}
