/** The longest path of a property of JSON-LD, in characters. */
export const MAX_PATH = 200;
