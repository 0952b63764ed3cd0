import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../core/errors.ts';
import { type ApiEvent, header } from './api-event.ts';

/** What a Lambda event of 6 MB holds in base64; the same here and in AWS. */
export const MOST_BODY_BYTES = 4_400_000;

const unpack = promisify(gunzip);
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The JSON of a request, or undefined when there is no body. */
export async function readBody(event: ApiEvent): Promise<unknown> {
  if (!event.body) return undefined;
  const contentType = header(event, 'content-type');
  if (contentType !== undefined && !JSON_TYPE.test(contentType.trim())) {
    throw new AppError('unsupported_media_type', 'Send JSON, with `Content-Type: application/json`');
  }
  const bytes = await unpacked(
    Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'),
    header(event, 'content-encoding'),
  );
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON', { cause });
  }
}

async function unpacked(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  if (bytes.length > MOST_BODY_BYTES) throw tooLarge();
  if (encoding.toLowerCase() === 'identity') return bytes;
  if (encoding.toLowerCase() !== 'gzip')
    throw new AppError('unsupported_media_type', 'Bodies are plain or `Content-Encoding: gzip`');
  try {
    return await unpack(bytes, { maxOutputLength: MOST_BODY_BYTES });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge();
    throw new AppError('invalid_json', 'The body is not valid gzip', { cause });
  }
}

const tooLarge = () =>
  new AppError('payload_too_large', `A body holds at most ${MOST_BODY_BYTES / 1e6} MB unpacked: send smaller batches`);
