import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../core/errors.ts';
import { type ApiEvent, header } from './api-event.ts';

/** A Lambda event holds 6 MB, in which the body is base64. The local server has the same limit. */
export const MAX_BODY_BYTES = 4_400_000;

const gunzipAsync = promisify(gunzip);
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Parses the JSON of a request; undefined without a body. */
export async function readBody(event: ApiEvent): Promise<unknown> {
  if (!event.body) return undefined;
  const contentType = header(event, 'content-type');
  if (contentType !== undefined && !JSON_TYPE.test(contentType.trim())) {
    throw new AppError('unsupported_media_type', 'The body must be JSON, sent with `Content-Type: application/json`');
  }
  const bytes = await decompress(
    Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'),
    header(event, 'content-encoding'),
  );
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON', { cause });
  }
}

async function decompress(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  if (bytes.length > MAX_BODY_BYTES) throw bodyTooLarge();
  if (encoding.toLowerCase() === 'identity') return bytes;
  if (encoding.toLowerCase() !== 'gzip')
    throw new AppError('unsupported_media_type', 'The body must be uncompressed or have `Content-Encoding: gzip`');
  try {
    return await gunzipAsync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (cause) {
    if (cause instanceof RangeError) throw bodyTooLarge();
    throw new AppError('invalid_json', 'The body is not valid gzip', { cause });
  }
}

const bodyTooLarge = (): AppError =>
  new AppError(
    'payload_too_large',
    `The body is larger than ${MAX_BODY_BYTES / 1e6} MB when decompressed. Send smaller batches.`,
  );
