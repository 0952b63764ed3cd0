/*
 * AssemblyScript, of which `node bin/wasm.ts` makes dot-products.wasm: JavaScript has no SIMD, and a plain loop over
 * 100,000 vectors takes 56 ms. Addresses are in bytes.
 */

/** Numbers per step. Rows are padded with zeros to a multiple of it. */
const LANES: usize = 32;

/** Writes the product of each row with the query to `out`. Rows have 8 bits per number, the query has 16. */
export function dotProducts(firstRow: usize, end: usize, stride: usize, query: usize, out: usize): void {
  let row = firstRow;
  for (let product = out; row < end; product += 4) {
    const next = row + stride;
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    for (let numbers = query; row < next; numbers += 2 * LANES) {
      const left = v128.load(row);
      const right = v128.load(row, 16);
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(left), v128.load(numbers)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(left), v128.load(numbers, 16)));
      c = i32x4.add(c, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(right), v128.load(numbers, 32)));
      d = i32x4.add(d, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(right), v128.load(numbers, 48)));
      row += LANES;
    }
    const sum = i32x4.add(i32x4.add(a, b), i32x4.add(c, d));
    const lanes = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1);
    store<i32>(product, lanes + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3));
  }
}
