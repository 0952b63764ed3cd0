import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { FetchFault, faultOf } from './fetch-fault.ts';

/** For the Accept-Encoding header: the codings that `unpacked` reads. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd';

export type Parts = AsyncIterable<Uint8Array>;
/** Judges by the first two bytes; undefined leaves the parts as they are. */
type ChooseUnpacker = (start: Uint8Array) => Transform | undefined;

/** A zstd window larger than 8 MB is refused (RFC 9659). */
const ZSTD_WINDOW = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

const UNPACKERS: ReadonlyMap<string, ChooseUnpacker> = new Map<string, ChooseUnpacker>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress({ params: ZSTD_WINDOW })],
  // The coding means the zlib format (RFC 9110, 8.4.1.2), yet some servers send it bare.
  ['deflate', (start) => (isZlib(start) ? zlib.createInflate() : zlib.createInflateRaw())],
]);

/** Codings that change nothing, and a charset that some servers write in this header. */
const NEUTRAL = new Set(['', 'identity', 'none', 'utf-8']);
const MAX_LAYERS = 2;

/**
 * Undoes a Content-Encoding as the parts come. Throws a `FetchFault` when it is unknown or broken, or when more than `maxBytes` go
 * into or come out of any layer, after the parts up to there.
 */
export function unpacked(parts: Parts, contentEncoding: string | undefined, maxBytes: number): Parts {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const layers = codings.filter((coding) => !NEUTRAL.has(coding)).reverse();
  if (layers.length > MAX_LAYERS) throw new FetchFault('bad_content', `${layers.length} content codings`);
  return layers.reduce<Parts>(
    (packed, coding) => {
      const choose = UNPACKERS.get(coding);
      if (!choose) throw new FetchFault('bad_content', `unknown content coding "${coding.slice(0, 40)}"`);
      return limited(layer(packed, coding, choose), maxBytes);
    },
    limited(parts, maxBytes),
  );
}

/** Unpacks what is gzip by its first bytes: a file that was packed before it was served, under whatever type. */
export const gunzipped = (parts: Parts, maxBytes: number): Parts =>
  limited(
    layer(parts, 'gzip', (start) => (isGzip(start) ? zlib.createGunzip() : undefined)),
    maxBytes,
  );

async function* limited(parts: Parts, maxBytes: number): Parts {
  let left = maxBytes;
  try {
    for await (const part of parts) {
      if (part.length > left) {
        yield part.subarray(0, left);
        throw new FetchFault('too_large', `more than ${maxBytes} bytes`);
      }
      left -= part.length;
      yield part;
    }
  } catch (error) {
    throw faultOf(error);
  }
}

async function* layer(parts: Parts, coding: string, choose: ChooseUnpacker): Parts {
  const { start, whole } = await peek(parts);
  const unpacker = start.length > 0 ? choose(start) : undefined;
  if (!unpacker) return yield* whole;
  const feeding = pipeline(whole, unpacker);
  feeding.catch(() => undefined); // the reading below throws the same
  try {
    yield* unpacker;
  } catch (error) {
    if (error instanceof FetchFault) throw error;
    throw new FetchFault('bad_content', `${coding}: ${faultOf(error).message}`, { cause: error });
  } finally {
    unpacker.destroy();
  }
}

/** The first two bytes, if there are as many, and all parts with them. */
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
