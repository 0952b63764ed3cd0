/** Marks pages, chunks and terms that the merged segment does not have. */
export const DELETED = 0xff_ff_ff_ff;

/** Assigns consecutive numbers to the pages or chunks of the segments being merged. */
export class IdRemapping {
  count = 0;

  /** Returns the new number of each index, or `DELETED`. */
  of(size: number, isKept: (index: number) => boolean): Uint32Array {
    return Uint32Array.from({ length: size }, (_, index) => (isKept(index) ? this.count++ : DELETED));
  }
}

/** Replaces the number above the lowest `bits` bits with its entry in `numbers`, and keeps the lowest bits. */
export const renumbered = (packed: number, bits: number, numbers: Uint32Array): number =>
  (((numbers[packed >>> bits] as number) << bits) | (packed & ((1 << bits) - 1))) >>> 0;
