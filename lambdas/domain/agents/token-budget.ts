/** Bytes of UTF-8 for each token, at least: English has 4 to 5, JSON and code about 3, other scripts 3 for a letter. */
const BYTES_PER_TOKEN = 3;

/** Returns at least as many tokens as a model reads in a text. */
export const mostTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** Returns the tokens of an answer of a tool, which has its content twice: as text, and as `structuredContent`. */
export const answerTokens = (content: object): number => 2 * mostTokens(JSON.stringify(content));

/** Returns the bytes of a text within JSON, without its quotes. Those of two texts add up. */
export const bytesInJson = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Returns the bytes of a text that may be in an answer of a tool, which has it twice. */
export const bytesWithin = (tokens: number): number => Math.floor((tokens * BYTES_PER_TOKEN) / 2);
