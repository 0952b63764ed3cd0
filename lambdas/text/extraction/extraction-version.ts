/** Raise it when extraction or chunking changes: every page is then read and indexed again. */
export const EXTRACTION_VERSION = 16;
