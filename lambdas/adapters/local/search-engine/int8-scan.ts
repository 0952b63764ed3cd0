/*
 * The dot products of one vector with many. Rows have 8 bits per number, because the scan is limited by memory
 * bandwidth; the query has 16. As WebAssembly text:
 *
 *   (func (param $row) (param $end) (param $stride) (param $query) (param $out)
 *     loop $rows
 *       four sums, of four lanes each = 0; $p = $row; $q = $query; $next = $row + $stride
 *       loop $lanes
 *         sums += numbers at $p * numbers at $q; $q += 64; $p += 32
 *         br_if $lanes ($p < $next)
 *       i32.store $out (the sum of all lanes of the sums); $out += 4; $row = $next
 *       br_if $rows ($row < $end))
 */

import {
  ADD,
  advance,
  type Code,
  get,
  loadVector,
  loop,
  type OneFunction,
  oneFunction,
  PAGE_BYTES,
  repeatIfLess,
  set,
  simd,
  storeInteger,
  ZEROS,
} from '../../../core/simd/wasm-code.ts';

/** Numbers per iteration of the inner loop. Rows are padded with zeros to a multiple of it. */
const LANES = 32;
const QUERY_BYTES = 2;
const PRODUCT_BYTES = 4;

const lane = (index: number): Code => simd(0x1b, index);
const ADD_LANES: Code = simd(0xae);
/** Converts eight numbers from 8 to 16 bits: the first or the last of sixteen. */
const WIDEN: readonly Code[] = [simd(0x87), simd(0x88)];
const MULTIPLY_LANES: Code = simd(0xba);

const [ROW, LAST, STRIDE, QUERY, OUT, P, Q, NEXT, SUM] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const QUARTERS = [0, 1, 2, 3] as const;

const instance = oneFunction({
  parameters: 5,
  integers: 3,
  vectors: 4,
  body: [
    loop(
      ...QUARTERS.map((quarter) => [...ZEROS, ...set(SUM + quarter)]),
      [...get(ROW), ...set(P), ...get(QUERY), ...set(Q), ...get(ROW), ...get(STRIDE), ...ADD, ...set(NEXT)],
      loop(
        ...QUARTERS.map((quarter) => {
          const row = [...get(P), ...loadVector(16 * (quarter >> 1)), ...(WIDEN[quarter & 1] ?? [])];
          const product = [...row, ...get(Q), ...loadVector(16 * quarter), ...MULTIPLY_LANES];
          return [...product, ...get(SUM + quarter), ...ADD_LANES, ...set(SUM + quarter)];
        }),
        advance(Q, LANES * QUERY_BYTES),
        advance(P, LANES),
        repeatIfLess(P, NEXT),
      ),
      [...get(SUM), ...[1, 2, 3].flatMap((quarter) => [...get(SUM + quarter), ...ADD_LANES]), ...set(SUM)],
      get(OUT),
      QUARTERS.flatMap((index) => [...get(SUM), ...lane(index), ...(index > 0 ? ADD : [])]),
      storeInteger,
      advance(OUT, PRODUCT_BYTES),
      [...get(NEXT), ...set(ROW)],
      repeatIfLess(ROW, LAST),
    ),
  ],
});

const ROWS_AT_ONCE = 4096;

export type { OneFunction };

/** A memory for a segment of this size, with room behind it for the query and the products. */
export function scanMemory(size: number): OneFunction {
  const made = instance();
  made.memory.grow(Math.ceil((size + SCRATCH_BYTES) / PAGE_BYTES));
  return made;
}

/** Enough for a query of 6,000 numbers. */
const SCRATCH_BYTES = ROWS_AT_ONCE * PRODUCT_BYTES + 6000 * QUERY_BYTES + 2 * 16;

/** For the rows of small segments, one segment at a time: each memory reserves gigabytes of addresses. */
let shared: OneFunction | undefined;

function memoryWith(rows: Int8Array): OneFunction {
  shared ??= scanMemory(0);
  const missing = rows.length + SCRATCH_BYTES - shared.memory.buffer.byteLength;
  if (missing > 0) shared.memory.grow(Math.ceil(missing / PAGE_BYTES));
  new Int8Array(shared.memory.buffer).set(rows);
  return shared;
}

/** The bytes of a row of this many numbers. */
export const strideOf = (width: number): number => Math.max(1, Math.ceil(width / LANES)) * LANES;

/** Writes the dot products of a vector with rows, which are in the memory if there is one. */
export function writeProducts(
  query: Int16Array,
  rows: Int8Array,
  memory: OneFunction | undefined,
  out: Int32Array,
): void {
  const stride = strideOf(query.length);
  const { memory: used, run } = memory ?? memoryWith(rows);
  const firstRow = memory ? rows.byteOffset : 0;
  const { buffer } = used;
  const firstProduct = buffer.byteLength - ROWS_AT_ONCE * PRODUCT_BYTES;
  const firstNumber = firstProduct - stride * QUERY_BYTES;
  new Int16Array(buffer, firstNumber, stride).fill(0).set(query);
  for (let first = 0; first < out.length; first += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, out.length - first);
    const start = firstRow + first * stride;
    run(start, start + count * stride, stride, firstNumber, firstProduct);
    out.set(new Int32Array(buffer, firstProduct, count), first);
  }
}
