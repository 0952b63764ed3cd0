import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { FetchError, toFetchError } from './fetch-error.ts';

/** The codings that `unpacked` supports, for the Accept-Encoding header. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

export type Parts = AsyncIterable<Uint8Array>;
/** Chooses an unpacker by the first two bytes. Undefined leaves the body as it is. */
type ChooseUnpacker = (start: Uint8Array) => Transform | undefined;

/** Allows windows up to 8 MB (RFC 9659). */
const ZSTD_WINDOW = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

const UNPACKERS: ReadonlyMap<string, ChooseUnpacker> = new Map<string, ChooseUnpacker>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress({ params: ZSTD_WINDOW })],
  // RFC 9110, 8.4.1.2 requires the zlib format, but some servers send raw deflate.
  ['deflate', (start) => (isZlib(start) ? zlib.createInflate() : zlib.createInflateRaw())],
]);

/** Values that mean no coding. Some servers write a charset into this header. */
const NEUTRAL = new Set(['', 'identity', 'none', 'utf-8']);
const MAX_LAYERS = 2;

/**
 * Decodes a Content-Encoding while the body streams. Throws a `FetchError` for an unknown coding, for broken data, and
 * when the input or output of any layer exceeds `maxBytes`. Yields the parts before the failure first.
 */
export function unpacked(parts: Parts, contentEncoding: string | undefined, maxBytes: number): Parts {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const layers = codings.filter((coding) => !NEUTRAL.has(coding)).reverse();
  if (layers.length > MAX_LAYERS)
    throw new FetchError('bad_content', `${layers.length} content codings; at most ${MAX_LAYERS} are supported`);
  return layers.reduce<Parts>(
    (packed, coding) => {
      const choose = UNPACKERS.get(coding);
      if (!choose) throw new FetchError('bad_content', `unknown content coding "${coding.slice(0, 40)}"`);
      return limited(layer(packed, coding, choose), maxBytes);
    },
    limited(parts, maxBytes),
  );
}

/** Unpacks a body that starts like a gzip file, whatever its content type. */
export const gunzipped = (parts: Parts, maxBytes: number): Parts =>
  limited(
    layer(parts, 'gzip', (start) => (isGzip(start) ? zlib.createGunzip() : undefined)),
    maxBytes,
  );

async function* limited(parts: Parts, maxBytes: number): Parts {
  let remaining = maxBytes;
  try {
    for await (const part of parts) {
      if (part.length > remaining) {
        yield part.subarray(0, remaining);
        throw new FetchError('too_large', `more than ${maxBytes} bytes`);
      }
      remaining -= part.length;
      yield part;
    }
  } catch (error) {
    throw toFetchError(error);
  }
}

async function* layer(parts: Parts, coding: string, choose: ChooseUnpacker): Parts {
  const { start, whole } = await peek(parts);
  const unpacker = start.length > 0 ? choose(start) : undefined;
  if (!unpacker) return yield* whole;
  const feeding = pipeline(whole, unpacker);
  feeding.catch(() => undefined); // reading `unpacker` below throws the same error
  try {
    yield* unpacker;
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError('bad_content', `${coding}: ${toFetchError(error).message}`, { cause: error });
  } finally {
    unpacker.destroy();
  }
}

/** Returns the first two bytes of the body, or fewer of a shorter one, and the whole body. */
async function peek(parts: Parts): Promise<{ readonly start: Uint8Array; readonly whole: Parts }> {
  const rest = parts[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.length < 2) {
    const { done, value } = await rest.next();
    if (done) break;
    start = start.length > 0 ? Buffer.concat([start, value]) : value;
  }
  async function* whole(): Parts {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { start, whole: whole() };
}

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
