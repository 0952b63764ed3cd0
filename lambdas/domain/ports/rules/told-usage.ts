import { countTokens } from '../../../text/chunking/count-tokens.ts';
import type { ChatMessage, ModelUsage } from '../chat-model.ts';

/** A token has a byte at least, and a character up to three. */
const MOST_BYTES_PER_CHARACTER = 3;
/** What a provider may add to a request: roles, the schema of an answer. */
const ADDED_TOKENS = 10_000;
/** Tokens of one answer, including what the model thinks before it. */
const MOST_OUTPUT_TOKENS = 200_000;

/** The tokens that a provider reports, or an estimate if it reports none or more than the texts can have. */
export function toldTokens(told: number | undefined, texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const most = ADDED_TOKENS + MOST_BYTES_PER_CHARACTER * characters;
  if (told !== undefined && told > 0 && told <= most) return told;
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

/** The same for a call of a chat model: the provider counts nothing, the answer broke off, or the number is absurd. */
export function toldUsage(
  { inputTokens, outputTokens }: ModelUsage,
  messages: readonly ChatMessage[],
  answer: string,
): ModelUsage {
  const texts = messages.map(({ content }) => content);
  const isTold = outputTokens > 0 && outputTokens <= MOST_OUTPUT_TOKENS;
  return {
    inputTokens: toldTokens(inputTokens, texts),
    outputTokens: isTold ? outputTokens : answer === '' ? 0 : countTokens(answer),
  };
}
