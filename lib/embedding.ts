import { BUILTIN_SPACE, DEFAULT_BASE_URL, providerSpace } from '../lambdas/connectors/embedder/space.ts';
import type { EnvName } from '../lambdas/env.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

export const embeddingSpace = ({ embedding }: Settings): string =>
  embedding ? providerSpace({ ...embedding, baseUrl: embedding.baseUrl ?? DEFAULT_BASE_URL }) : BUILTIN_SPACE;

function embeddingVariables({ embedding }: Settings): Readonly<Partial<Record<EnvName, string>>> {
  if (!embedding) return {};
  const { model, dimensions, baseUrl, apiKeySecretArn } = embedding;
  return {
    EMBEDDING_MODEL: model,
    EMBEDDING_DIMENSIONS: String(dimensions),
    OPENAI_API_KEY_SECRET: apiKeySecretArn,
    ...(baseUrl !== undefined && { OPENAI_BASE_URL: baseUrl }),
  };
}

/**
 * Grants the key of the embedding model. The environment has only the secret's ARN. A function reads the key from
 * Secrets Manager when it first needs it.
 */
export function grantEmbedding(fn: ServiceFunction, settings: Settings): void {
  if (!settings.embedding) return;
  fn.setVariables(embeddingVariables(settings));
  fn.allow(['secretsmanager:GetSecretValue'], settings.embedding.apiKeySecretArn);
}

/** Grants the chat model, which belongs to the same API and uses the same key. */
export function grantChatModel(fn: ServiceFunction, settings: Settings): void {
  grantEmbedding(fn, settings);
  if (settings.embedding) fn.setVariables({ CHAT_MODEL: settings.embedding.chatModel ?? 'none' });
}
