import { MisconfiguredError, UnavailableError } from '../../domain/errors.ts';
import { env } from '../../env.ts';
import { DEFAULT_BASE_URL } from '../embedder/space.ts';

/** The API key of a provider. */
export type ProviderKey = {
  /**
   * Throws `UnavailableError` while the source of the key does not answer, and `MisconfiguredError` if it has no key.
   */
  readonly read: () => Promise<string>;
  /** Forgets a key that the provider refused: the next `read` asks the source again. */
  readonly forget: () => void;
};

/** The key for servers that need none. They ignore it. */
export const NO_KEY = 'none';

/**
 * Caches a key. It is read when it is first needed, so that a function starts, and searches by words, without its
 * source.
 */
export function rememberedKey(readKey: () => Promise<string>): ProviderKey {
  let reading: Promise<string> | undefined;
  return {
    async read() {
      reading ??= readKey();
      try {
        return await reading;
      } catch (error) {
        reading = undefined;
        throw error;
      }
    },
    forget() {
      reading = undefined;
    },
  };
}

/** The key of the environment, or in AWS the key of Secrets Manager. */
export const providerKey: ProviderKey = rememberedKey(async () => {
  if (env.OPENAI_API_KEY !== undefined) return env.OPENAI_API_KEY;
  if (env.OPENAI_API_KEY_SECRET === undefined) return NO_KEY;
  const { readSecret } = await import('#adapters/secret');
  try {
    return await readSecret(env.OPENAI_API_KEY_SECRET);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MisconfiguredError(`The provider's key cannot be read: ${reason}`);
  }
});

const isConfigured = [env.OPENAI_API_KEY, env.OPENAI_API_KEY_SECRET, env.OPENAI_BASE_URL].some(
  (variable) => variable !== undefined,
);

/** The base URL of the configured OpenAI-compatible API. Undefined if none is configured. */
export const providerBaseUrl: string | undefined = isConfigured ? (env.OPENAI_BASE_URL ?? DEFAULT_BASE_URL) : undefined;
