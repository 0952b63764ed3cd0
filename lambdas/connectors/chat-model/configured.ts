import type { ChatModel } from '../../domain/ports/chat-model.ts';
import { env } from '../../env.ts';
import { providerBaseUrl, providerKey } from '../provider/provider-key.ts';
import { circuitBreaker } from './circuit-breaker.ts';

const NONE = 'none';

/** Imports the client, which is large, only when a provider is configured. */
async function providerModel(baseUrl: string): Promise<ChatModel> {
  const { openaiChatModel } = await import('./openai.ts');
  const model = openaiChatModel({ key: providerKey, baseUrl, model: env.CHAT_MODEL });
  return circuitBreaker(model, { clock: () => performance.now() });
}

/** The configured chat model. Undefined without a provider: answers are then extractive. */
export const chatModel: ChatModel | undefined =
  providerBaseUrl === undefined || env.CHAT_MODEL === NONE ? undefined : await providerModel(providerBaseUrl);
