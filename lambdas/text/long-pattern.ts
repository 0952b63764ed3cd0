/**
 * Creates a regular expression from a source over several lines. Line breaks, and the spaces after them, are not part
 * of it.
 */
export const longPattern = (source: string, flags = ''): RegExp => new RegExp(source.replace(/\n\s*/g, ''), flags);
