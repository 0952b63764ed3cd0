/**
 * Raise this version with every change of the mapping or of stems. A new version is a new index, filled by a
 * reindexing.
 */
export const MAPPING = 'v11';
