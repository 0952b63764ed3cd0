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

/** wasm/dot-products.ts with a memory of its own. */
export type Scanner = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly dotProducts: (firstRow: number, end: number, stride: number, query: number, out: number) => void;
};

let module: object | undefined;

/** Numbers per iteration of the inner loop. Rows are padded with zeros to a multiple of it. */
const LANES = 32;
const QUERY_BYTES = 2;
const PRODUCT_BYTES = 4;
const PAGE_BYTES = 65_536;
const ROWS_AT_ONCE = 4096;
/** Enough for a query of 6,000 numbers. */
const SCRATCH_BYTES = ROWS_AT_ONCE * PRODUCT_BYTES + 6000 * QUERY_BYTES + 2 * 16;

/** A scanner with room for a segment of this size, and behind it for the query and the products. */
export function scannerFor(size: number): Scanner {
  module ??= new WebAssembly.Module(readFileSync(new URL('./wasm/dot-products.wasm', import.meta.url)));
  const scanner = new WebAssembly.Instance(module).exports as Scanner;
  makeRoom(scanner, size);
  return scanner;
}

function makeRoom({ memory }: Scanner, size: number): void {
  const missing = size + SCRATCH_BYTES - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

/** For the rows of small segments, one segment at a time: each memory reserves gigabytes of addresses. */
let shared: Scanner | undefined;

function copied(rows: Int8Array): Scanner {
  shared ??= scannerFor(0);
  makeRoom(shared, rows.length);
  new Int8Array(shared.memory.buffer).set(rows);
  return shared;
}

/** The bytes of a row of this many numbers. */
export const strideOf = (width: number): number => Math.max(1, Math.ceil(width / LANES)) * LANES;

/**
 * Visits the dot products of a vector with rows in blocks, each with the number of its first row and valid until the
 * next. The rows are in the memory of `own`, if it is given.
 */
export function forEachBlock(
  query: Int16Array,
  rows: Int8Array,
  own: Scanner | undefined,
  visit: (products: Int32Array, firstRow: number) => void,
): void {
  const stride = strideOf(query.length);
  const { memory, dotProducts } = own ?? copied(rows);
  const start = own ? rows.byteOffset : 0;
  const { buffer } = memory;
  const firstProduct = buffer.byteLength - ROWS_AT_ONCE * PRODUCT_BYTES;
  const firstNumber = firstProduct - stride * QUERY_BYTES;
  new Int16Array(buffer, firstNumber, stride).fill(0).set(query);
  const count = rows.length / stride;
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const end = Math.min(first + ROWS_AT_ONCE, count);
    dotProducts(start + first * stride, start + end * stride, stride, firstNumber, firstProduct);
    visit(new Int32Array(buffer, firstProduct, end - first), first);
  }
}
