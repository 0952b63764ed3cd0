/* Assembles loops over vectors (WebAssembly core specification 2.0, section 5): JavaScript has no other SIMD. */

/** TypeScript declares WebAssembly only with the types of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

export type Code = readonly number[];

/** The exports of a module with one function, whose parameters are byte addresses or other integers. */
export type OneFunction = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly run: (...parameters: readonly number[]) => void;
};

export const PAGE_BYTES = 65_536;

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const LITTLE_OFFSET = 0;

export const ADD: Code = [0x6a];
export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const advance = (local: number, bytes: number): Code => [
  ...get(local),
  0x41,
  ...leb(bytes, 64),
  ...ADD,
  ...set(local),
];
export const loop = (...body: readonly Code[]): Code => [0x03, 0x40, ...body.flat(), END];
export const repeatIfLess = (a: number, b: number): Code => [...get(a), ...get(b), 0x49, 0x0d, 0];
export const loadInteger: Code = [0x28, 2, LITTLE_OFFSET];
export const storeInteger: Code = [0x36, 2, LITTLE_OFFSET];
export const simd = (operation: number, ...rest: Code): Code => [0xfd, ...leb(operation), ...rest];
export const loadVector = (offset = 0): Code => simd(0x00, 4, ...leb(offset));
export const storeVector = (offset = 0): Code => simd(0x0b, 4, ...leb(offset));
export const ZEROS: Code = simd(0x0c, ...new Array<number>(16).fill(0));

/** LEB128, WebAssembly's encoding of integers; the last byte of a signed one has a bit less. */
function leb(value: number, last = 128): Code {
  return value < last ? [value] : [(value & 127) | 128, ...leb(value >>> 7, last)];
}

/** Compiles a module with one page of memory and one function; `integers` and `vectors` count its local variables. */
export function oneFunction(shape: {
  readonly parameters: number;
  readonly integers: number;
  readonly vectors: number;
  readonly body: readonly Code[];
}): () => OneFunction {
  const { parameters, integers, vectors, body } = shape;
  const code = [2, integers, I32, vectors, V128, ...body.flat(), END];
  const module = new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [1, 0x60, parameters, ...new Array<number>(parameters).fill(I32), 0]),
      ...section(3, [1, 0]),
      ...section(5, [1, 0x00, 1]),
      ...section(7, [2], name('memory'), [0x02, 0], name('run'), [0x00, 0]),
      ...section(10, [1], leb(code.length), code),
    ]),
  );
  return () => new WebAssembly.Instance(module).exports as OneFunction;
}

const name = (text: string): Code => [text.length, ...Buffer.from(text)];

function section(id: number, ...content: readonly Code[]): Code {
  const bytes = content.flat();
  return [id, ...leb(bytes.length), ...bytes];
}
