import type { DatabaseSync } from 'node:sqlite';
import type { IndexSpace } from './index-space.ts';
import { VectorMatrix } from './vector-matrix.ts';

const MOST_BYTES = 1e9;

/** The versions of a space before and after it was written to. */
type Write = { readonly space: number; readonly before: number; readonly after: number };
type Kept = { version: number; readonly matrix: VectorMatrix };

/** The matrices of the spaces that were searched last, kept in step with what is written. */
export class VectorCache {
  readonly #load;
  readonly #kept = new Map<number, Kept>();

  constructor(database: DatabaseSync) {
    this.#load = database.prepare(
      `SELECT c.id, c.page, c.vector_start, c.vector_length, c.vector FROM index_chunk c JOIN index_page p ON p.id = c.page
       WHERE p.space = ? AND c.vector IS NOT NULL ORDER BY c.id`,
    );
  }

  /** A matrix of another version than the space's is of a write that was undone, or was made elsewhere. */
  matrixOf({ id, version }: IndexSpace): VectorMatrix {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    const current = kept?.version === version && !kept.matrix.isSparse ? kept : { version, matrix: this.#read(id) };
    this.#kept.set(id, current);
    this.#shrink();
    return current.matrix;
  }

  /** Follows one write, if the matrix is of the version before it. */
  follow({ space, before, after }: Write, change: (matrix: VectorMatrix) => void): void {
    const kept = this.#kept.get(space);
    if (kept?.version !== before) this.#kept.delete(space);
    else {
      change(kept.matrix);
      kept.version = after;
    }
  }

  #read(space: number): VectorMatrix {
    const matrix = new VectorMatrix();
    for (const row of this.#load.iterate(space)) {
      if (!(row.vector instanceof Uint8Array)) continue;
      const { start, of } = { start: Number(row.vector_start), of: Number(row.vector_length) };
      matrix.add({ page: Number(row.page), chunk: Number(row.id), start, of, numbers: floatsOf(row.vector) });
    }
    return matrix;
  }

  #shrink(): void {
    let bytes = [...this.#kept.values()].reduce((sum, { matrix }) => sum + matrix.bytes, 0);
    for (const [space, { matrix }] of this.#kept) {
      if (bytes <= MOST_BYTES || this.#kept.size === 1) return;
      this.#kept.delete(space);
      bytes -= matrix.bytes;
    }
  }
}

/** A copy, for the bytes of a row need not begin at a multiple of four. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const copy = bytes.slice();
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
}
