import * as z from 'zod';
import { isOutage, type Report } from '../errors.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import { reportedUsage } from '../ports/rules/reported-usage.ts';
import { acceptedRewriting, mayFollow, mergedQuestion, RewrittenQuestion, rewriteMessages } from './follow-up.ts';
import type { Turn } from './session.ts';
import type { Spending } from './spending.ts';

const DEADLINE_MS = 4_000;
const MAX_TOKENS = 120;
const SCHEMA = { name: 'question', json: z.toJSONSchema(RewrittenQuestion) };

type RewriteDeps = {
  readonly model: ChatModel | undefined;
  readonly spending: Spending;
  readonly report: Report;
  readonly signal: AbortSignal;
};

export type Standalone = {
  readonly query: string;
  /** The question itself, if it was merged with the previous one. */
  readonly own?: string;
};

/**
 * Returns the question in a form that needs no session: rewritten by the model, else merged with the previous question.
 */
export async function standaloneQuestion(
  question: string,
  turns: readonly Turn[],
  languages: readonly string[],
  deps: RewriteDeps,
): Promise<Standalone> {
  if (!mayFollow(question, turns, languages)) return { query: question };
  const rewritten = deps.model && (await rewrite(question, turns, deps.model, deps));
  const query = acceptedRewriting(rewritten, question, turns, languages);
  return query === undefined ? { query: mergedQuestion(question, turns), own: question } : { query };
}

async function rewrite(
  question: string,
  turns: readonly Turn[],
  model: ChatModel,
  { spending, report, signal }: RewriteDeps,
): Promise<unknown> {
  const messages = rewriteMessages(question, turns);
  try {
    const request = { messages, maxTokens: MAX_TOKENS, schema: SCHEMA, deadlineMs: DEADLINE_MS, signal };
    const { value, usage } = await model.complete(request);
    await spending.paid(reportedUsage(usage, messages, JSON.stringify(value) ?? ''));
    return value;
  } catch (error) {
    if (!isOutage(error)) throw error;
    report('the chat model could not rewrite a question', error);
    return undefined;
  }
}
