/* The 32-bit hash of Fowler, Noll and Vo, variant 1a. */

export const FNV_OFFSET = 0x811c9dc5;
export const FNV_PRIME = 0x01000193;

/** The hash after one byte more, as a signed number. */
export const fnvStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, FNV_PRIME);

/** From 0 up to 2^32. */
export const fnv1a = (bytes: Uint8Array): number => bytes.reduce(fnvStep, FNV_OFFSET) >>> 0;

/** That of the units of UTF-16, each in one step: nothing is encoded, and ASCII has the same hash. */
export function fnv1aOfText(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) hash = fnvStep(hash, text.charCodeAt(at));
  return hash >>> 0;
}
