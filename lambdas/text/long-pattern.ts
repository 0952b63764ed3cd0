/** A regular expression written over several lines: line breaks, and the blanks after them, are not part of it. */
export const longPattern = (source: string, flags = ''): RegExp => new RegExp(source.replace(/\n\s*/g, ''), flags);
