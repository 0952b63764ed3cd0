/** Instead of the number of something that a merged segment does not have. */
export const DELETED = 0xff_ff_ff_ff;

/** Numbers the pages or chunks of one segment after the other, as a merged segment has them. */
export class IdRemapping {
  count = 0;

  /** By index the number, or `DELETED`. */
  of(size: number, isKept: (index: number) => boolean): Uint32Array {
    return Uint32Array.from({ length: size }, (_, index) => (isKept(index) ? this.count++ : DELETED));
  }
}

/** A number whose lowest bits are something else, with another number in the others. */
export const renumbered = (packed: number, bits: number, numbers: Uint32Array): number =>
  (((numbers[packed >>> bits] as number) << bits) | (packed & ((1 << bits) - 1))) >>> 0;
