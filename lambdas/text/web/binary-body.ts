/** The first bytes of files that some servers call HTML; a dot stands for any byte. */
const SIGNATURES = ['\x89PNG', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'RIFF....WEBP', '%PDF-', 'PK\x03\x04'];
const LONGEST = Math.max(...SIGNATURES.map(({ length }) => length));

/** Returns whether a body's first bytes are those of an image, a PDF or an archive, whatever its content type. */
export function hasBinarySignature(body: Uint8Array): boolean {
  const start = Buffer.from(body.subarray(0, LONGEST)).toString('latin1');
  return SIGNATURES.some((signature) =>
    [...signature].every((byte, position) => byte === '.' || start[position] === byte),
  );
}
