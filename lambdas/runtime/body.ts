import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../domain/errors.ts';
import type { Route } from '../routes/route.ts';
import { type ApiEvent, header } from './api-event.ts';

/**
 * The largest body in a Lambda event, which holds 6 MB with the body in base64. The local server has the same limit,
 * except for ingestions.
 */
export const MAX_BODY_BYTES = 4_400_000;
/** The largest body of a caller without a key. */
export const SMALL_BODY_BYTES = 65_536;
const MAX_DEPTH = 64;

/** The largest ingestion that the local server accepts. A hundred pages have at most 1 MB each. */
export const LOCAL_INGESTION_BYTES = 64_000_000;

type Sized = Pick<Route, 'access' | 'countsAs'>;

/** Returns the most bytes that a body of this route may have. `largestIngestion` is the server's limit. */
export const maxBodyBytes = ({ access, countsAs }: Sized, largestIngestion = MAX_BODY_BYTES): number => {
  if ('feature' in access) return SMALL_BODY_BYTES;
  return countsAs === 'ingest' ? largestIngestion : MAX_BODY_BYTES;
};

const gunzipAsync = promisify(gunzip);
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Parses the JSON of a request. Returns undefined if it has no body. */
export async function readBody(event: ApiEvent, maxBytes: number): Promise<unknown> {
  if (!event.body) return undefined;
  const contentType = header(event, 'content-type');
  if (contentType !== undefined && !JSON_TYPE.test(contentType.trim())) {
    throw new AppError('unsupported_media_type', 'The body must be JSON, sent with `Content-Type: application/json`');
  }
  const given = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  const encoding = header(event, 'content-encoding');
  // Small requests run concurrently. Together they could decompress far more than the memory holds.
  const isSmallGzip = encoding !== undefined && given.length <= SMALL_BODY_BYTES;
  const bytes = await decompress(given, {
    encoding,
    maxBytes: isSmallGzip ? Math.min(maxBytes, MAX_BODY_BYTES) : maxBytes,
  });
  if (isDeeperThan(MAX_DEPTH, bytes))
    throw new AppError('invalid_json', `The body is nested more deeply than ${MAX_DEPTH} levels. Send it flatter.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON', { cause });
  }
}

type Limit = { readonly encoding: string | undefined; readonly maxBytes: number };

async function decompress(bytes: Buffer, { encoding = 'identity', maxBytes }: Limit): Promise<Buffer> {
  if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
  if (encoding.toLowerCase() === 'identity') return bytes;
  if (encoding.toLowerCase() !== 'gzip')
    throw new AppError('unsupported_media_type', 'The body must be uncompressed or have `Content-Encoding: gzip`');
  try {
    return await gunzipAsync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBytes);
    throw new AppError('invalid_json', 'The body is not valid gzip', { cause });
  }
}

const bodyTooLarge = (maxBytes: number): AppError =>
  maxBytes === SMALL_BODY_BYTES
    ? new AppError('payload_too_large', 'The body is larger than 64 kB when decompressed. Ask for less at once.')
    : new AppError(
        'payload_too_large',
        `The body is larger than ${maxBytes / 1e6} MB when decompressed. Send smaller batches.`,
      );

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** Tells whether JSON text has more than `most` levels of lists and objects. A parser would be slow on such text. */
function isDeeperThan(most: number, json: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
