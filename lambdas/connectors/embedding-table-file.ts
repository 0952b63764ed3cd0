/**
 * The URL of the table. This file is as deep in the folders as the bundled code, so that the relative path holds there
 * too (lib/bundle.ts).
 */
export const EMBEDDING_TABLE_FILE = new URL('../../embedder/english-256.sem', import.meta.url);
