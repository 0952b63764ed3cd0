import { UnavailableError } from '../../core/errors.ts';

/** Far beyond any answer that is asked for. */
const MOST_BYTES = 2_000_000;

/**
 * Like fetch, but an answer that is too long fails: the client would keep a line without an end in memory. Redirects
 * are not followed: questions and pages go to the configured address only.
 */
export async function limitedFetch(...[url, options]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' });
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) controller.enqueue(chunk);
      else controller.error(new UnavailableError('the chat API sends an answer without an end'));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(limit) ?? null, { status, statusText, headers });
}
