import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/*
 * Compiles AssemblyScript to WebAssembly: `node bin/wasm.ts`. Tests compare the result with the file in the repository.
 */

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const COMPILER = fileOf('node_modules/assemblyscript/bin/asc.js');
const SOURCE = 'lambdas/search-engine/wasm/dot-products.ts';
const OPTIONS = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--initialMemory', '1'];

export const COMPILED = fileOf(SOURCE.replace(/ts$/, 'wasm'));

export function compileTo(file: string): void {
  execFileSync(process.execPath, [COMPILER, SOURCE, ...OPTIONS, '--outFile', file], { cwd: fileOf('.') });
}

if (import.meta.main) compileTo(COMPILED);
