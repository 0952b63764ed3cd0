import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { BUILTIN_DIMENSIONS, pageVector, queryVector } from '../core/language/builtin-vector.ts';
import { EmbeddingTable } from '../core/language/embedding-table.ts';
import type { EmbeddedText, Embedder } from './ports.ts';

/** `a6840ae1` begins the SHA-256 of the table's file, `h1` names the hashing: with another of them vectors cannot be compared. */
export const BUILTIN_SPACE = 'builtin-sem1-a6840ae1-h1';

const TABLE_FILE = new URL('../../embedder/english-256.sem', import.meta.url);
/** A few milliseconds of work. */
const TEXTS_AT_A_TIME = 4;

/** Makes vectors without a key or a server, from a table that is read at once: the first page and the first query do not wait for it. */
export function builtinEmbedder({ tableFile = TABLE_FILE }: { readonly tableFile?: URL | string } = {}): Embedder {
  const read = () => readFile(tableFile).then((bytes) => new EmbeddingTable(bytes));
  let opened = read();
  opened.catch(() => undefined); // whoever needs it asks again
  const open = () =>
    opened.catch(() => {
      opened = read();
      return opened;
    });
  return {
    space: BUILTIN_SPACE,
    dimensions: BUILTIN_DIMENSIONS,

    async embedTexts(texts) {
      const table = await open();
      const embedded: (EmbeddedText | undefined)[] = [];
      for (const [i, { text, language }] of texts.entries()) {
        if (i > 0 && i % TEXTS_AT_A_TIME === 0) await setImmediate(); // others of this thread have requests to answer
        embedded.push(pageVector(table, text, language));
      }
      return embedded;
    },

    async embedQuery(query) {
      return queryVector(await open(), query);
    },
  };
}
