/*
 * The products of one vector with many, in WebAssembly, because JavaScript has SIMD nowhere else. The module is put together here by
 * hand: a memory, and one function over it, whose parameters are byte addresses. As text:
 *
 *   (func (param $row) (param $end) (param $stride) (param $query) (param $out)
 *     loop $rows
 *       four sums, of four lanes each = 0; $p = $row; $q = $query; $next = $row + $stride
 *       loop $lanes
 *         sums += numbers at $p * numbers at $q; $q += 64; $p += 64
 *         br_if $lanes ($p < $next)
 *       f32.store $out (the sum of all lanes of the sums); $out += 4; $row = $next
 *       br_if $rows ($row < $end))
 */

/** The little of it that is used here: TypeScript has its types only among those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

type Code = readonly number[];

/** Numbers that a turn of the inner loop takes: rows are padded with zeros to a multiple of them. */
const LANES = 16;
const NUMBER_BYTES = 4;

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const ADD: Code = [0x6a];
const ADD_FLOATS: Code = [0x92];
const STORE_FLOAT: Code = [0x38, 2, 0];
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const advance = (local: number, bytes: number): Code => [...get(local), 0x41, ...leb(bytes, 64), ...ADD, ...set(local)];
const loop = (...body: readonly Code[]): Code => [0x03, 0x40, ...body.flat(), END];
const repeatIfLess = (a: number, b: number): Code => [...get(a), ...get(b), 0x49, 0x0d, 0];
const simd = (operation: number, ...rest: Code): Code => [0xfd, ...leb(operation), ...rest];
const load = (offset: number): Code => simd(0x00, 4, ...leb(offset));
const ZERO: Code = simd(0x0c, ...new Array<number>(16).fill(0));
const lane = (index: number): Code => simd(0x1f, index);
const ADD_LANES: Code = simd(0xe4);
const MULTIPLY_LANES: Code = simd(0xe6);

const [ROW, LAST, STRIDE, QUERY, OUT, P, Q, NEXT, SUM] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const QUARTERS = [0, 1, 2, 3] as const;

const FUNCTION: Code = [
  ...[2, 3, I32, 4, V128],
  ...loop(
    ...QUARTERS.map((quarter) => [...ZERO, ...set(SUM + quarter)]),
    [...get(ROW), ...set(P), ...get(QUERY), ...set(Q), ...get(ROW), ...get(STRIDE), ...ADD, ...set(NEXT)],
    loop(
      ...QUARTERS.map((quarter) => {
        const product = [...get(P), ...load(16 * quarter), ...get(Q), ...load(16 * quarter), ...MULTIPLY_LANES];
        return [...product, ...get(SUM + quarter), ...ADD_LANES, ...set(SUM + quarter)];
      }),
      advance(Q, LANES * NUMBER_BYTES),
      advance(P, LANES * NUMBER_BYTES),
      repeatIfLess(P, NEXT),
    ),
    [...get(SUM), ...[1, 2, 3].flatMap((quarter) => [...get(SUM + quarter), ...ADD_LANES]), ...set(SUM)],
    get(OUT),
    QUARTERS.flatMap((index) => [...get(SUM), ...lane(index), ...(index > 0 ? ADD_FLOATS : [])]),
    STORE_FLOAT,
    advance(OUT, NUMBER_BYTES),
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

/** Rows of numbers of one width, of which the products with another row are found fast. */
export class DotProducts {
  readonly #width: number;
  readonly #stride: number;
  /** The query lies first, then the products, then the rows, so that these can grow. */
  readonly #firstRow: number;
  readonly #exports = new WebAssembly.Instance(wasm).exports as Exports;
  #size = 0;

  constructor(width: number) {
    this.#width = width;
    this.#stride = Math.max(1, Math.ceil(width / LANES)) * LANES * NUMBER_BYTES;
    this.#firstRow = this.#stride + ROWS_AT_ONCE * NUMBER_BYTES;
    this.#reserve(this.#firstRow);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  add(row: Float32Array): void {
    const start = this.#firstRow + this.#size * this.#stride;
    this.#reserve(start + this.#stride);
    this.#numbers(start, this.#width).set(row);
    this.#size++;
  }

  /** By row. */
  products(query: Float32Array): Float32Array {
    const products = new Float32Array(this.#size);
    this.#numbers(0, this.#width).set(query);
    for (let first = 0; first < this.#size; first += ROWS_AT_ONCE) {
      const rows = Math.min(ROWS_AT_ONCE, this.#size - first);
      const start = this.#firstRow + first * this.#stride;
      this.#exports.run(start, start + rows * this.#stride, this.#stride, 0, this.#stride);
      products.set(this.#numbers(this.#stride, rows), first);
    }
    return products;
  }

  /** A new view each time: the old ones are empty once the memory has grown. */
  #numbers(start: number, length: number): Float32Array {
    return new Float32Array(this.#exports.memory.buffer, start, length);
  }

  #reserve(bytes: number): void {
    const { memory } = this.#exports;
    const has = memory.buffer.byteLength;
    if (has < bytes) memory.grow(Math.ceil((Math.max(bytes, has * GROWTH) - has) / PAGE_BYTES));
  }
}
