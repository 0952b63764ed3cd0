import type { ProviderKey } from '../../lambdas/connectors/provider/provider-key.ts';

/** A key that is at hand at once and never changes. */
export const fixedKey = (key: string): ProviderKey => ({ read: async () => key, forget: () => undefined });
