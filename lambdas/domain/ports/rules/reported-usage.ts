import { countTokens } from '../../../text/chunking/count-tokens.ts';
import type { ChatMessage, ModelUsage } from '../chat-model.ts';

/** Upper bound of a token count: a token has at least one byte, and a character up to three. */
const MAX_BYTES_PER_CHARACTER = 3;
/** Maximum number of tokens that a provider may add to a request for roles and an answer's schema. */
const ADDED_TOKENS = 10_000;
/** Maximum number of tokens of one answer, including the model's reasoning. */
const MAX_OUTPUT_TOKENS = 200_000;

/** Returns the reported tokens, or an estimate if the provider reports none or more than the texts can have. */
export function plausibleTokens(told: number | undefined, texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const most = ADDED_TOKENS + MAX_BYTES_PER_CHARACTER * characters;
  if (told !== undefined && told > 0 && told <= most) return told;
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

/**
 * Returns the usage of a chat model's call, with estimates if the provider counts nothing, the answer broke off, or the
 * number is implausible.
 */
export function reportedUsage(
  { inputTokens, outputTokens }: ModelUsage,
  messages: readonly ChatMessage[],
  answer: string,
): ModelUsage {
  const texts = messages.map(({ content }) => content);
  const isTold = outputTokens > 0 && outputTokens <= MAX_OUTPUT_TOKENS;
  return {
    inputTokens: plausibleTokens(inputTokens, texts),
    outputTokens: isTold ? outputTokens : answer === '' ? 0 : countTokens(answer),
  };
}
