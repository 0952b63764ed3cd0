import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { EmbeddedText, Embedder } from '../../domain/ports/embedder.ts';
import { BUILTIN_DIMENSIONS, pageVector, queryVector } from '../../text/words/builtin-vector.ts';
import { EmbeddingTable } from '../../text/words/embedding-table.ts';
import { EMBEDDING_TABLE_FILE } from '../embedding-table-file.ts';
import { BUILTIN_SPACE } from './space.ts';

/** The number of texts embedded in one turn of the event loop. They take a few milliseconds. */
const TEXTS_PER_TURN = 4;

/**
 * Creates the built-in embedder. It needs no key and no server: it makes vectors from a table, which it reads on first
 * use.
 */
export function builtinEmbedder({
  tableFile = EMBEDDING_TABLE_FILE,
}: {
  readonly tableFile?: URL | string;
} = {}): Embedder {
  let opened: Promise<EmbeddingTable> | undefined;
  const open = async (): Promise<EmbeddingTable> => {
    opened ??= readFile(tableFile).then((bytes) => new EmbeddingTable(bytes));
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  return {
    space: BUILTIN_SPACE,
    dimensions: BUILTIN_DIMENSIONS,
    isFree: true,

    async embedTexts(texts) {
      const table = await open();
      const embedded: (EmbeddedText | undefined)[] = [];
      for (const [i, { text, language }] of texts.entries()) {
        if (i > 0 && i % TEXTS_PER_TURN === 0) await setImmediate();
        embedded.push(pageVector(table, text, language));
      }
      return embedded;
    },

    async isWord(word) {
      return (await open()).has(word);
    },

    async embedQuery(query) {
      return queryVector(await open(), query);
    },
  };
}
