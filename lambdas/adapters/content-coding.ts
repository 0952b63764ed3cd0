import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { FetchFault, faultOf } from './fetch-fault.ts';

/** For the Accept-Encoding header: the codings that `unpack` reads. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

type Unpacker = (body: Uint8Array, maxOutputLength: number) => Promise<Buffer>;

/** A zstd window larger than 8 MB is refused (RFC 9659). */
const ZSTD_WINDOW = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

const gunzip: Unpacker = (body, maxOutputLength) => promisify(zlib.gunzip)(body, { maxOutputLength });
const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', (body, maxOutputLength) => promisify(zlib.brotliDecompress)(body, { maxOutputLength })],
  ['zstd', (body, maxOutputLength) => promisify(zlib.zstdDecompress)(body, { maxOutputLength, params: ZSTD_WINDOW })],
  [
    'deflate',
    // The coding means the zlib format (RFC 9110, 8.4.1.2), yet some servers send it bare.
    (body, maxOutputLength) => promisify(isZlib(body) ? zlib.inflate : zlib.inflateRaw)(body, { maxOutputLength }),
  ],
]);

/** Codings that change nothing, and a charset that some servers write in this header. */
const NEUTRAL = new Set(['', 'identity', 'none', 'utf-8']);
const MAX_LAYERS = 2;

/** Undoes a Content-Encoding; throws a `FetchFault` when it is unknown or broken, or the body would grow beyond `maxBytes`. */
export async function unpack(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const layers = codings.filter((coding) => !NEUTRAL.has(coding)).reverse();
  if (layers.length > MAX_LAYERS) throw new FetchFault('bad_content', `${layers.length} content codings`);
  let unpacked = body;
  for (const coding of layers) {
    if (unpacked.length > 0) unpacked = await unpackLayer(unpacked, coding, maxBytes);
  }
  return unpacked;
}

async function unpackLayer(body: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const unpacker = UNPACKERS.get(coding);
  if (unpacker === undefined) throw new FetchFault('bad_content', `unknown content coding "${coding.slice(0, 40)}"`);
  try {
    return await unpacker(body, maxBytes);
  } catch (error) {
    const { reason, message } = faultOf(error);
    throw new FetchFault(reason === 'too_large' ? reason : 'bad_content', `${coding}: ${message}`, { cause: error });
  }
}

function isZlib(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
