/** In the bundle, the modules of functions and their shared files are as deep as this file is here. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';

export const PDF_THREAD_FILE = new URL(`../connectors/pdf/pdf-thread.${EXTENSION}`, import.meta.url);
