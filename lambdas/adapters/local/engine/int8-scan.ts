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
  oneFunction,
  PAGE_BYTES,
  repeatIfLess,
  set,
  simd,
  storeInteger,
  ZEROS,
} from '../../../core/simd/wasm-code.ts';
import { float32s, GrowableArray } from './growable-array.ts';
import { SCALE } from './int16-quantization.ts';

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

const GROWTH = 1.25;
const ROWS_AT_ONCE = 4096;
const LARGEST = 127;

/** Vectors quantized to 8 bits, for fast approximate dot products: for vectors of length 1 they are exact to 0.005. */
export class Int8Vectors {
  readonly #width: number;
  readonly #stride: number;
  /** The memory holds the query, the products and, last because they grow, the rows. */
  readonly #firstProduct: number;
  readonly #firstRow: number;
  readonly #module = instance();
  /** By row: the number that a stored 1 represents. */
  readonly #scales = new GrowableArray(float32s);

  /** Reused: allocating one per query is expensive. */
  #products = new Float32Array();

  constructor(width: number) {
    this.#width = width;
    this.#stride = Math.max(1, Math.ceil(width / LANES)) * LANES;
    this.#firstProduct = this.#stride * QUERY_BYTES;
    this.#firstRow = this.#firstProduct + ROWS_AT_ONCE * PRODUCT_BYTES;
    this.#reserve(this.#firstRow);
  }

  get size(): number {
    return this.#scales.length;
  }

  get bytes(): number {
    return this.#module.memory.buffer.byteLength + this.#scales.bytes;
  }

  add(row: Int16Array): void {
    const start = this.#firstRow + this.size * this.#stride;
    this.#reserve(start + this.#stride);
    let largest = 1;
    for (let i = 0; i < row.length; i++) largest = Math.max(largest, Math.abs(row[i] as number));
    const scale = largest / LARGEST;
    const numbers = new Int8Array(this.#module.memory.buffer, start, this.#width);
    for (let i = 0; i < numbers.length; i++) numbers[i] = Math.round((row[i] as number) / scale);
    this.#scales.push(scale / SCALE ** 2);
  }

  /** By row. The query has at most length 1. Valid until the next call. */
  products(query: Int16Array): Float32Array {
    if (this.#products.length < this.size) this.#products = new Float32Array(Math.ceil(this.size * GROWTH));
    const products = this.#products.subarray(0, this.size);
    const scales = this.#scales.numbers;
    const { memory, run } = this.#module;
    new Int16Array(memory.buffer, 0, this.#width).set(query);
    for (let first = 0; first < this.size; first += ROWS_AT_ONCE) {
      const rows = Math.min(ROWS_AT_ONCE, this.size - first);
      const start = this.#firstRow + first * this.#stride;
      run(start, start + rows * this.#stride, this.#stride, 0, this.#firstProduct);
      const sums = new Int32Array(memory.buffer, this.#firstProduct, rows);
      for (let row = 0; row < rows; row++)
        products[first + row] = (sums[row] as number) * (scales[first + row] as number);
    }
    return products;
  }

  #reserve(bytes: number): void {
    const { memory } = this.#module;
    const has = memory.buffer.byteLength;
    if (has < bytes) memory.grow(Math.ceil((Math.max(bytes, has * GROWTH) - has) / PAGE_BYTES));
  }
}
