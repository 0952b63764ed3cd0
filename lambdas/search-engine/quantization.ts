/** Represents 1, the greatest length of a vector. A cosine of two such vectors is exact to 0.0005. */
export const SCALE = 2 ** 14;
const LARGEST = 2 ** 15 - 1;

export function quantize(vector: Float32Array): Int16Array<ArrayBuffer> {
  const numbers = new Int16Array(vector.length);
  for (let i = 0; i < vector.length; i++) {
    numbers[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.round((vector[i] as number) * SCALE)));
  }
  return numbers;
}

/** Rounds to five decimal places, since further ones are not exact. */
const PRECISION = 1e5;

/** The dot product of `a` and the vector that begins at `list[start]`. */
export function dotProduct(a: Int16Array, list: Int16Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (list[start + i] as number);
  return Math.round((sum / SCALE ** 2) * PRECISION) / PRECISION;
}
