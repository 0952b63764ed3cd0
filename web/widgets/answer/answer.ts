import { html, type TemplateResult } from 'lit/html.js';

export type Answer = {
  readonly ask: (question: string, options?: object) => Promise<void>;
  readonly stop: () => void;
  readonly clear: () => void;
  readonly template: () => TemplateResult;
};

export function createAnswer(_parts: object): Answer {
  return { ask: async () => undefined, stop: () => undefined, clear: () => undefined, template: () => html`` };
}
