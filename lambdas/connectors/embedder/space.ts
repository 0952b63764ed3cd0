/* Names of embedding spaces. Vectors of two spaces are not comparable, so each space has its own index. */

/**
 * The start of the table file's SHA-256 and the version of the hashing. Vectors of other versions are not comparable.
 */
export const BUILTIN_SPACE = 'builtin-sem1-a6840ae1-h1';

export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const SCHEME = /^https?:\/\//i;

export type ProviderModel = { readonly baseUrl: string; readonly model: string; readonly dimensions: number };

export const providerSpace = ({ baseUrl, model, dimensions }: ProviderModel): string =>
  `openai-${baseUrl.replace(SCHEME, '')}-${model}-${dimensions}`;
