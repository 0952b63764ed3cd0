/** In the bundle, the modules of functions and the files that they share are as deep as this one is here. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';

export const PDF_THREAD_FILE = new URL(`../connectors/pdf/pdf-thread.${EXTENSION}`, import.meta.url);
