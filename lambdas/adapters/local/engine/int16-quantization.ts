/** Stands for 1: a cosine of vectors in such numbers is right within 0.0005. */
export const ONE = 2 ** 14;
const LARGEST = 2 ** 15 - 1;

/** A vector of no more than length 1 in numbers of 16 bits. */
export function shortNumbers(vector: Float32Array): Int16Array<ArrayBuffer> {
  const numbers = new Int16Array(vector.length);
  for (let i = 0; i < vector.length; i++) {
    numbers[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.round((vector[i] as number) * ONE)));
  }
  return numbers;
}

/** More digits than are right would only be carried along. */
const DIGITS = 1e5;

/** The product of two vectors, of which the second may lie in the middle of a list. */
export function product(a: Int16Array, list: Int16Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (list[start + i] as number);
  return Math.round((sum / ONE ** 2) * DIGITS) / DIGITS;
}
