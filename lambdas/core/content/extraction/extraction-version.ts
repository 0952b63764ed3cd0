/** Raised when extraction or chunking changes, so that every page is read and indexed anew. */
export const EXTRACTION_VERSION = 6;
