/** Raise it with every change of the mapping or of stems: the new version is a new index, filled by a reindexing. */
export const MAPPING = 'v11';
