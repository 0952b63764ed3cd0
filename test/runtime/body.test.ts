import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../lambdas/domain/errors.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import {
  LOCAL_INGESTION_BYTES,
  MAX_BODY_BYTES,
  maxBodyBytes,
  readBody,
  SMALL_BODY_BYTES,
} from '../../lambdas/runtime/body.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

function read(body: string | Buffer, { maxBytes = MAX_BODY_BYTES, encoding = 'identity' } = {}): Promise<unknown> {
  const event = {
    headers: { 'Content-Encoding': encoding },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
  return readBody(event as unknown as ApiEvent, maxBytes);
}

async function codeOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error('the body was accepted');
  return error.code;
}

describe('the JSON of a request', () => {
  it('the JSON of a request may be nested to 64 levels', async () => {
    expect(JSON.stringify(await read(nested(64)))).toBe(nested(64));
    expect(await codeOf(read(nested(65)))).toBe('invalid_json');
    expect(await codeOf(read(gzipSync('['.repeat(4_000_000)), { encoding: 'gzip' }))).toBe('invalid_json');
    expect(await codeOf(read('{"a":'.repeat(65) + 1 + '}'.repeat(65)))).toBe('invalid_json');
  });

  it('the JSON of a request may have brackets in its strings', async () => {
    const text = `\\"${'[{'.repeat(100)}"\\`;
    expect(await read(JSON.stringify({ [text]: [text, text] }))).toEqual({ [text]: [text, text] });
    for (const broken of ['"[', '"\\', '[[}}'.repeat(50)]) expect(await codeOf(read(broken))).toBe('invalid_json');
  });

  it('the error of a large body names its limit, which for ingestions is the server’s', async () => {
    const ingest = { access: { role: 'member' }, countsAs: 'ingest' } as const;
    expect(maxBodyBytes(ingest)).toBe(MAX_BODY_BYTES);
    expect(maxBodyBytes(ingest, LOCAL_INGESTION_BYTES)).toBe(64_000_000);
    expect(maxBodyBytes({ access: ingest.access }, LOCAL_INGESTION_BYTES)).toBe(MAX_BODY_BYTES);
    const large = `"${'x'.repeat(4_500_000)}"`;
    await expect(read(large)).rejects.toThrow(
      'The body is larger than 4.4 MB when decompressed. Send smaller batches.',
    );
    expect(await read(large, { maxBytes: LOCAL_INGESTION_BYTES })).toHaveLength(4_500_000);
    const bomb = read(gzipSync(large), { maxBytes: LOCAL_INGESTION_BYTES, encoding: 'gzip' });
    await expect(bomb).rejects.toThrow('The body is larger than 4.4 MB');
  });

  it.each([SMALL_BODY_BYTES, MAX_BODY_BYTES])(
    'the JSON of a request may have %s bytes, even if it was compressed',
    async (maxBytes) => {
      const fits = `"${'x'.repeat(maxBytes - 2)}"`;
      expect(await read(fits, { maxBytes })).toHaveLength(maxBytes - 2);
      expect(await read(gzipSync(fits), { maxBytes, encoding: 'gzip' })).toHaveLength(maxBytes - 2);
      expect(await codeOf(read(`${fits} `, { maxBytes }))).toBe('payload_too_large');
      expect(await codeOf(read(gzipSync(`${fits} `), { maxBytes, encoding: 'gzip' }))).toBe('payload_too_large');
    },
  );
});
