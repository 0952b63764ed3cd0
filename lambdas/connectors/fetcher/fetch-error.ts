import { errors } from 'undici';
import type { FetchFailure } from '../../domain/ports/page-fetcher.ts';

export class FetchError extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchError';
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<string, FetchFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad_content',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_content',
  ERR_ASSERTION: 'bad_content', // undici's error for a 101 without the headers of one
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

/** Converts errors of the network, the resolver and undici. An unknown error counts as `connection`. */
export function toFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const code = textOf(error, 'code');
  const detail = [code, textOf(error, 'message')].filter((text) => text !== '').join(': ');
  return new FetchError(reasonOf(error, code), detail.slice(0, 200), { cause: error });
}

function reasonOf(error: unknown, code: string): FetchFailure {
  if (textOf(error, 'syscall') === 'getaddrinfo') return 'dns';
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'bad_content';
  if (error instanceof errors.SocketError && error.message === 'bad upgrade') return 'bad_content';
  return REASONS[code] ?? 'connection';
}

function textOf(error: unknown, field: 'code' | 'message' | 'syscall'): string {
  return typeof error === 'object' && error !== null ? String(Reflect.get(error, field) ?? '') : '';
}
