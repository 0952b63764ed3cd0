/** Instead of the number of something that a merged segment does not have. */
export const GONE = 0xff_ff_ff_ff;

/** Numbers the pages or chunks of one segment after the other, as a merged segment has them. */
export class Numbering {
  count = 0;

  /** By index the number, or `GONE`. */
  of(size: number, isKept: (index: number) => boolean): Uint32Array {
    return Uint32Array.from({ length: size }, (_, index) => (isKept(index) ? this.count++ : GONE));
  }
}
