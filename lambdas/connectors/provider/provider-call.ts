import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { AppError, MisconfiguredError, UnavailableError } from '../../domain/errors.ts';
import { cut } from '../../text/words/folding.ts';
import type { ProviderKey } from './provider-key.ts';

export type ProviderCall = {
  readonly key: ProviderKey;
  /** The name of the API in errors. */
  readonly api: 'embeddings' | 'chat';
  /** The deadline for reading the key. */
  readonly deadlineMs: number;
};

/**
 * Makes a request with the key. If the key is refused, reads it again, and repeats the request once if the key has been
 * replaced.
 */
export async function withProviderKey<T>(
  { key, api, deadlineMs }: ProviderCall,
  ask: (apiKey: string) => Promise<T>,
): Promise<T> {
  const attempt = async (apiKey: string): Promise<T> => {
    try {
      return await ask(apiKey);
    } catch (error) {
      if (statusOf(error) === UNAUTHORIZED) key.forget();
      throw describeError(error, api, apiKey);
    }
  };
  const read = () => readWithin(deadlineMs, key, api);
  const apiKey = await read();
  try {
    return await attempt(apiKey);
  } catch (error) {
    if (!(error instanceof MisconfiguredError)) throw error;
    const current = await read();
    if (current === apiKey) throw error;
    return attempt(current);
  }
}

async function readWithin(ms: number, key: ProviderKey, api: string): Promise<string> {
  const late = new AbortController();
  const tooLate = async (): Promise<never> => {
    await delay(ms, undefined, { signal: late.signal });
    throw new UnavailableError(`the key of the ${api} API cannot be read in time`);
  };
  try {
    return await Promise.race([key.read(), tooLate()]);
  } finally {
    late.abort();
  }
}

const UNAUTHORIZED = 401;
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 429]);
const MISCONFIGURED: ReadonlySet<number> = new Set([UNAUTHORIZED, 403, 404]);

const statusOf = (error: unknown): number | undefined => (error instanceof OpenAI.APIError ? error.status : undefined);

/** Describes an error of the client without its cause, which holds the server's answer and may repeat the key. */
export function describeError(error: unknown, api: string, apiKey: string): Error {
  if (error instanceof AppError || error instanceof UnavailableError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const description = cut(`the ${api} API: ${message}`.replaceAll(apiKey, '[key]'), 300);
  const status = statusOf(error);
  if (status === undefined || TEMPORARY.has(status) || status >= 500) return new UnavailableError(description);
  return MISCONFIGURED.has(status)
    ? new MisconfiguredError(description)
    : new AppError('upstream_unavailable', description);
}

/**
 * Works like fetch, but fails if an answer is longer than `mostBytes`, because the client would hold all of it in
 * memory. It does not follow redirects: questions and pages go to the configured address only.
 */
export const limitedFetch =
  (mostBytes: number): typeof fetch =>
  async (url, options) => {
    const response = await fetch(url, { ...options, redirect: 'manual' });
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= mostBytes) controller.enqueue(chunk);
        else controller.error(new UnavailableError('the provider sends an answer without an end'));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(limit) ?? null, { status, statusText, headers });
  };
