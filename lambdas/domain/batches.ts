export function batches<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/**
 * Returns the elements in order, in batches of at most `most` elements and a total size of at most `size`. An element
 * larger than `size` gets its own batch.
 */
export function batchesBySize<T>(
  elements: Iterable<T>,
  sizeOf: (element: T) => number,
  { size, most = Infinity }: { readonly size: number; readonly most?: number },
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let left = 0;
  for (const element of elements) {
    const batch = batches.at(-1);
    left -= sizeOf(element);
    if (batch && left >= 0 && batch.length < most) batch.push(element);
    else {
      batches.push([element]);
      left = size - sizeOf(element);
    }
  }
  return batches;
}
