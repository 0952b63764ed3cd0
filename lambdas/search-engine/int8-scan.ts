import { readFileSync } from 'node:fs';

/*
 * The dot products of one vector with many. Rows have 8 bits per number, because the scan is limited by memory
 * bandwidth; the query has 16. Nothing is compiled before the first scan: threads that end soon must not load
 * WebAssembly, because V8 may abort the process when several of them do.
 */

/** TypeScript declares WebAssembly only with the types of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** An instance of wasm/dot-products.ts with its memory. */
export type Scanner = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly dotProducts: (firstRow: number, end: number, stride: number, query: number, out: number) => void;
};

/** Numbers per iteration of the inner loop. Rows are padded with zeros to a multiple of it. */
const LANES = 32;
const QUERY_BYTES = 2;
const PRODUCT_BYTES = 4;
const PAGE_BYTES = 65_536;
const ROWS_AT_ONCE = 4096;
/** Room for the products and for a query of 6,000 numbers. */
const SCRATCH_BYTES = ROWS_AT_ONCE * PRODUCT_BYTES + 6000 * QUERY_BYTES + 2 * 16;

/** Creates the scanners of one thread. WebAssembly is compiled once, for the first. */
export class Scanners {
  #module: object | undefined;
  #shared: Scanner | undefined;

  /** Returns a scanner with room for a segment of `size` bytes, followed by the query and the products. */
  withRoomFor(size: number): Scanner {
    this.#module ??= new WebAssembly.Module(readFileSync(new URL('./wasm/dot-products.wasm', import.meta.url)));
    const scanner = new WebAssembly.Instance(this.#module).exports as Scanner;
    makeRoom(scanner, size);
    return scanner;
  }

  /**
   * Copies rows into a scanner that all small segments share, because each WebAssembly memory reserves gigabytes of
   * addresses. The rows stay until the next call.
   */
  holding(rows: Int8Array): Scanner {
    this.#shared ??= this.withRoomFor(0);
    makeRoom(this.#shared, rows.length);
    new Int8Array(this.#shared.memory.buffer).set(rows);
    return this.#shared;
  }
}

function makeRoom({ memory }: Scanner, size: number): void {
  const missing = size + SCRATCH_BYTES - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

/** Returns the bytes of a row of this many numbers, padding included. */
export const strideOf = (width: number): number => Math.max(1, Math.ceil(width / LANES)) * LANES;

/** Rows, with their offset in the scanner's memory. */
export type RowsInMemory = { readonly rows: Int8Array; readonly start: number; readonly scanner: Scanner };

/**
 * Visits the dot products of a vector with rows, in blocks. Each block comes with the number of its first row, and is
 * valid until the next one.
 */
export function forEachBlock(
  query: Int16Array,
  { rows, start, scanner }: RowsInMemory,
  visit: (products: Int32Array, firstRow: number) => void,
): void {
  const stride = strideOf(query.length);
  const { buffer } = scanner.memory;
  const firstProduct = buffer.byteLength - ROWS_AT_ONCE * PRODUCT_BYTES;
  const firstNumber = firstProduct - stride * QUERY_BYTES;
  new Int16Array(buffer, firstNumber, stride).fill(0).set(query);
  const count = rows.length / stride;
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const end = Math.min(first + ROWS_AT_ONCE, count);
    scanner.dotProducts(start + first * stride, start + end * stride, stride, firstNumber, firstProduct);
    visit(new Int32Array(buffer, firstProduct, end - first), first);
  }
}
