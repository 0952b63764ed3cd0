/* The 32-bit hash FNV-1a (Fowler, Noll, Vo). */

export const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the next hash, as a signed integer. */
export const fnvStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, FNV_PRIME);

/** Unsigned. */
export const fnv1a = (bytes: Uint8Array): number => bytes.reduce(fnvStep, FNV_OFFSET) >>> 0;

/**
 * Hashes a text to an unsigned integer. Each UTF-16 code unit is one step: no encoding is needed, and ASCII has the
 * same hash as its bytes.
 */
export function fnv1aOfText(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) hash = fnvStep(hash, text.charCodeAt(at));
  return hash >>> 0;
}
