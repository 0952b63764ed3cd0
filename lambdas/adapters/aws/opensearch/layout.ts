/** Raise it with every change of the mapping: the new version is a new index, which is then filled by a reindexing. */
export const MAPPING = 'v6';
