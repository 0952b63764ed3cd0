/** Scales a vector to unit length, in place; zeros stay zeros. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let d = 0; d < vector.length; d++) {
    const x = vector[d] as number;
    sum += x * x;
  }
  const length = Math.sqrt(sum);
  if (length > 0) for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) / length;
  return vector;
}

/** Returns false for a vector of zeros, which is no evidence. */
export function hasDirection(vector: Float32Array): boolean {
  return vector.some((x) => x !== 0);
}
