/*
 * Just enough of WebAssembly's binary format to put a loop over vectors together by hand, for JavaScript has SIMD nowhere else
 * (WebAssembly core specification 2.0, section 5).
 */

/** The little of it that is used here: TypeScript has its types only among those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

export type Code = readonly number[];

/** What a module of one function exports; its parameters are byte addresses or other whole numbers. */
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

/** LEB128, as WebAssembly writes integers; a signed one has a bit less in its last byte. */
function leb(value: number, last = 128): Code {
  return value < last ? [value] : [(value & 127) | 128, ...leb(value >>> 7, last)];
}

/** Makes instances of a module with a memory of one page and a function; `integers` and `vectors` count its own variables. */
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
