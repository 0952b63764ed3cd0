/** Sends requests to the service that served this page, and reads their answers. */

const timeoutMs = 15_000;
const messages = new Map([
  [0, 'The service does not answer. Is it running?'],
  [401, 'The key is no longer valid.'],
  [403, 'This site does not allow searches from this page.'],
  [404, 'This site no longer exists.'],
  [429, 'Too many searches in a short time.'],
]);

/** A failed request. Status 0 means no answer. `message` is for people, `retryAfter` is in seconds. */
export class ServiceFault extends Error {
  /** @param {number} status @param {string} [said] @param {number} [retryAfter] @param {string} [code] */
  constructor(status, said, retryAfter, code = '') {
    super(said || messages.get(status) || 'Something went wrong in the service.');
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = code;
  }
}

/** @param {string | undefined} key @returns {Record<string, string>} */
export const withKey = (key) => (key ? { authorization: `Bearer ${key}` } : {});

/** Returns the path of an endpoint for visitors of a site. @param {string} siteId @param {string} rest */
export const publicPath = (siteId, rest) => `v1/public/sites/${encodeURIComponent(siteId)}/${rest}`;

/**
 * Requests JSON. Throws a ServiceFault, or the abort's reason once `signal` is aborted.
 * @param {string} path @param {string | undefined} key
 * @param {{ signal?: AbortSignal, method?: string, body?: unknown }} [options] `body` is sent as JSON
 * @returns {Promise<{ body: Record<string, unknown>, headers: Headers }>}
 */
export async function getJson(path, key, { signal, method = 'GET', body: sent } = {}) {
  const limit = limited(signal);
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', ...withKey(key), ...(sent ? { 'content-type': 'application/json' } : {}) },
    signal: limit.signal,
    ...(sent ? { body: JSON.stringify(sent) } : {}),
  }).catch(() => undefined);
  const parsed = await response?.json().catch(() => undefined);
  limit.end();
  signal?.throwIfAborted();
  const body = record(parsed);
  if (response?.ok && parsed) return { body, headers: response.headers };
  const retryAfter = number(body.retryAfter) ?? number(Number(response?.headers.get('retry-after') || Number.NaN));
  throw new ServiceFault(response?.status ?? 0, text(body.error).slice(0, 300), retryAfter, text(body.code));
}

/**
 * Returns a signal that aborts with `signal`, or when the time is up. Browsers of 2023 cannot combine signals.
 * @param {AbortSignal} [signal]
 */
function limited(signal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** @param {unknown} value @returns {Record<string, unknown>} */
export const record = (value) => (typeof value === 'object' && value !== null ? { ...value } : {});
/** @param {unknown} value @returns {unknown[]} */
export const list = (value) => (Array.isArray(value) ? value : []);
/** @param {unknown} value */
export const text = (value) => (typeof value === 'string' ? value : '');
/** @param {unknown} value */
export const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
