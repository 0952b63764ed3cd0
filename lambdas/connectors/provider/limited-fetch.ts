import { UnavailableError } from '../../domain/errors.ts';

/**
 * Like fetch, but an answer of a provider that is longer fails: the client would keep all of it in memory. Redirects
 * are not followed: questions and pages go to the configured address only.
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
