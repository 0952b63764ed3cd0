/*
 * The products of one vector with many, in WebAssembly, because JavaScript has SIMD nowhere else. The rows have 8 bits a number, for
 * it is memory that a scan waits for; the query has 16. The module is put together here by hand: a memory, and one function over it,
 * whose parameters are byte addresses. As text:
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

import { Column, float32s } from './column.ts';
import { ONE } from './short-numbers.ts';

/** The little of it that is used here: TypeScript has its types only among those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

type Code = readonly number[];

/** Numbers that a turn of the inner loop takes: rows are padded with zeros to a multiple of them. */
const LANES = 32;
const QUERY_BYTES = 2;
const PRODUCT_BYTES = 4;

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const ADD: Code = [0x6a];
const STORE: Code = [0x36, 2, 0];
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const advance = (local: number, bytes: number): Code => [...get(local), 0x41, ...leb(bytes, 64), ...ADD, ...set(local)];
const loop = (...body: readonly Code[]): Code => [0x03, 0x40, ...body.flat(), END];
const repeatIfLess = (a: number, b: number): Code => [...get(a), ...get(b), 0x49, 0x0d, 0];
const simd = (operation: number, ...rest: Code): Code => [0xfd, ...leb(operation), ...rest];
const load = (offset: number): Code => simd(0x00, 4, ...leb(offset));
const ZERO: Code = simd(0x0c, ...new Array<number>(16).fill(0));
const lane = (index: number): Code => simd(0x1b, index);
const ADD_LANES: Code = simd(0xae);
/** Eight numbers of 8 bits to 16: the first or the last of sixteen. */
const WIDEN: readonly Code[] = [simd(0x87), simd(0x88)];
/** Multiplies eight pairs, and adds the products of each two neighbours. */
const MULTIPLY_LANES: Code = simd(0xba);

const [ROW, LAST, STRIDE, QUERY, OUT, P, Q, NEXT, SUM] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const QUARTERS = [0, 1, 2, 3] as const;

const FUNCTION: Code = [
  ...[2, 3, I32, 4, V128],
  ...loop(
    ...QUARTERS.map((quarter) => [...ZERO, ...set(SUM + quarter)]),
    [...get(ROW), ...set(P), ...get(QUERY), ...set(Q), ...get(ROW), ...get(STRIDE), ...ADD, ...set(NEXT)],
    loop(
      ...QUARTERS.map((quarter) => {
        const row = [...get(P), ...load(16 * (quarter >> 1)), ...(WIDEN[quarter & 1] ?? [])];
        const product = [...row, ...get(Q), ...load(16 * quarter), ...MULTIPLY_LANES];
        return [...product, ...get(SUM + quarter), ...ADD_LANES, ...set(SUM + quarter)];
      }),
      advance(Q, LANES * QUERY_BYTES),
      advance(P, LANES),
      repeatIfLess(P, NEXT),
    ),
    [...get(SUM), ...[1, 2, 3].flatMap((quarter) => [...get(SUM + quarter), ...ADD_LANES]), ...set(SUM)],
    get(OUT),
    QUARTERS.flatMap((index) => [...get(SUM), ...lane(index), ...(index > 0 ? ADD : [])]),
    STORE,
    advance(OUT, PRODUCT_BYTES),
    [...get(NEXT), ...set(ROW)],
    repeatIfLess(ROW, LAST),
  ),
  END,
];

const name = (text: string): Code => [text.length, ...Buffer.from(text)];
const section = (id: number, ...content: readonly Code[]): Code => [
  id,
  ...leb(content.flat().length),
  ...content.flat(),
];

const wasm = new WebAssembly.Module(
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0x00, 1]),
    ...section(7, [2], name('memory'), [0x02, 0], name('run'), [0x00, 0]),
    ...section(10, [1], leb(FUNCTION.length), FUNCTION),
  ]),
);

/** LEB128, as WebAssembly writes integers; a signed one has a bit less in its last byte. */
function leb(value: number, last = 128): Code {
  return value < last ? [value] : [(value & 127) | 128, ...leb(value >>> 7, last)];
}

type Exports = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly run: (row: number, end: number, stride: number, query: number, out: number) => void;
};

const PAGE_BYTES = 65_536;
const GROWTH = 1.25;
/** The products of so many rows are taken out at once. */
const ROWS_AT_ONCE = 4096;
/** The greatest number of a row. */
const LARGEST = 127;

/** Rows of numbers of one width, of which the products with another row are found fast and nearly right: of vectors of length 1 within 0.005. */
export class DotProducts {
  readonly #width: number;
  /** Of a row, in bytes; of a query twice as much. */
  readonly #stride: number;
  /** The query lies first, then the products, then the rows, so that these can grow. */
  readonly #firstProduct: number;
  readonly #firstRow: number;
  readonly #exports = new WebAssembly.Instance(wasm).exports as Exports;
  /** What a one stands for, by row. */
  readonly #units = new Column(float32s);

  /** Kept, for making such an array anew for each query is dear. */
  #products = new Float32Array();

  constructor(width: number) {
    this.#width = width;
    this.#stride = Math.max(1, Math.ceil(width / LANES)) * LANES;
    this.#firstProduct = this.#stride * QUERY_BYTES;
    this.#firstRow = this.#firstProduct + ROWS_AT_ONCE * PRODUCT_BYTES;
    this.#reserve(this.#firstRow);
  }

  get size(): number {
    return this.#units.length;
  }

  get bytes(): number {
    return this.#exports.memory.buffer.byteLength + this.#units.bytes;
  }

  add(row: Int16Array): void {
    const start = this.#firstRow + this.size * this.#stride;
    this.#reserve(start + this.#stride);
    let most = 1;
    for (let i = 0; i < row.length; i++) most = Math.max(most, Math.abs(row[i] as number));
    const unit = most / LARGEST;
    const numbers = new Int8Array(this.#exports.memory.buffer, start, this.#width);
    for (let i = 0; i < numbers.length; i++) numbers[i] = Math.round((row[i] as number) / unit);
    this.#units.push(unit / ONE ** 2);
  }

  /** By row, with a query of no more than length 1; good until the next call. */
  products(query: Int16Array): Float32Array {
    if (this.#products.length < this.size) this.#products = new Float32Array(Math.ceil(this.size * GROWTH));
    const products = this.#products.subarray(0, this.size);
    const units = this.#units.numbers;
    const { memory, run } = this.#exports;
    new Int16Array(memory.buffer, 0, this.#width).set(query);
    for (let first = 0; first < this.size; first += ROWS_AT_ONCE) {
      const rows = Math.min(ROWS_AT_ONCE, this.size - first);
      const start = this.#firstRow + first * this.#stride;
      run(start, start + rows * this.#stride, this.#stride, 0, this.#firstProduct);
      const sums = new Int32Array(memory.buffer, this.#firstProduct, rows);
      for (let row = 0; row < rows; row++)
        products[first + row] = (sums[row] as number) * (units[first + row] as number);
    }
    return products;
  }

  #reserve(bytes: number): void {
    const { memory } = this.#exports;
    const has = memory.buffer.byteLength;
    if (has < bytes) memory.grow(Math.ceil((Math.max(bytes, has * GROWTH) - has) / PAGE_BYTES));
  }
}
