import type { Clock } from '../clock.ts';
import type { ModelUsage } from '../ports/chat-model.ts';
import type { Table } from '../ports/table.ts';
import { recordAiUse } from '../sites/usage/ai-usage.ts';

type SpendingDeps = { readonly table: Table; readonly clock: Clock };

/** Counts the tokens of one chat message, and records them for the organisation. */
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
