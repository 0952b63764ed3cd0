import type { Clock } from '../clock.ts';
import { countTokens } from '../content/chunking/count-tokens.ts';
import type { ChatMessage, ModelUsage } from '../ports/chat-model.ts';
import type { Table } from '../ports/table.ts';
import { recordAiUse } from '../usage/ai-usage.ts';

type SpendingDeps = { readonly table: Table; readonly clock: Clock };

/** The tokens that one message of a visitor costs, which are counted for its organisation. */
export class Spending {
  tokens = 0;
  savedTokens = 0;
  readonly #orgId: string;
  readonly #model: string;
  readonly #deps: SpendingDeps;

  constructor(orgId: string, model: string, deps: SpendingDeps) {
    this.#orgId = orgId;
    this.#model = model;
    this.#deps = deps;
  }

  async paid({ inputTokens, outputTokens }: ModelUsage): Promise<void> {
    this.tokens += inputTokens + outputTokens;
    await this.#record({ requests: 1, inputTokens, outputTokens });
  }

  async saved(tokens: number): Promise<void> {
    this.savedTokens += tokens;
    await this.#record({ savedTokens: tokens });
  }

  #record(counts: Omit<Parameters<typeof recordAiUse>[1], 'kind' | 'model'>): Promise<void> {
    return recordAiUse(this.#orgId, { kind: 'chat', model: this.#model, ...counts }, this.#deps);
  }
}

/** For an answer whose usage the provider did not tell: it broke off, or the server counts nothing. */
const estimatedUsage = (messages: readonly ChatMessage[], answer: string): ModelUsage => ({
  inputTokens: messages.reduce((sum, { content }) => sum + countTokens(content), 0),
  outputTokens: answer === '' ? 0 : countTokens(answer),
});

export const usageOr = (usage: ModelUsage, messages: readonly ChatMessage[], answer: string): ModelUsage =>
  usage.inputTokens + usage.outputTokens > 0 ? usage : estimatedUsage(messages, answer);
