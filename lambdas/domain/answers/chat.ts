import { questionLanguage } from '../../text/words/question-language.ts';
import { isOutage } from '../errors.ts';
import type { Filters } from '../search/page-filters.ts';
import { languagesOf } from '../search/searched-site.ts';
import { isWithinChatBudget } from '../sites/usage/ai-budget.ts';
import { meteredEmbedder } from '../sites/usage/metered-embedder.ts';
import { type AnswerEnd, answer, type ChatDeps, type ChatEvent } from './answer.ts';
import type { ChatScope } from './chat-scope.ts';
import { phrasesOf } from './phrases.ts';
import { addTurn, openSession, type Session } from './session.ts';
import { findSources, type Source } from './sources.ts';
import { Spending } from './spending.ts';
import { standaloneQuestion } from './standalone-question.ts';

export type ChatQuestion = {
  readonly question: string;
  readonly sessionId?: string | undefined;
  readonly filters?: Filters | undefined;
  readonly contextUrl?: string | undefined;
};

export type ChatOutcome = {
  readonly answer: string;
  readonly sources: readonly Source[];
  /** Absent if the site keeps no sessions. */
  readonly sessionId: string | undefined;
  /** Tokens paid for this message. */
  readonly tokens: number;
  /** The site does not answer the question. */
  readonly refused: boolean;
  /** The model that wrote the answer; undefined if the answer quotes pages. */
  readonly model: string | undefined;
  /** A provider failed or the budget is used up, so the answer may be worse. */
  readonly degraded: boolean;
  /** The query searched for: the question or, in a session, its standalone form. */
  readonly query: string;
  /** Tokens saved by reusing an earlier answer to the same question. */
  readonly savedTokens: number;
};

/** Answers a visitor's message from the pages of a site or group, and adds it to the session. */
export async function* chat(
  scope: ChatScope,
  { question, sessionId, filters, contextUrl }: ChatQuestion,
  deps: ChatDeps,
): AsyncGenerator<ChatEvent, ChatOutcome> {
  const languages = languagesOf(scope.sites);
  const paying = { ...deps, embedder: meteredEmbedder(deps.embedder, scope.orgId, deps) };
  const [session, affordable] = await Promise.all([
    openSession(sessionId, scope, deps),
    deps.model === undefined || isWithinChatBudget(scope.orgId, deps),
  ]);
  const turns = session?.turns ?? [];
  const model = affordable ? deps.model : undefined;
  const spending = new Spending(scope.orgId, model?.model ?? '', deps);
  const standalone = await standaloneQuestion(question, turns, languages, { ...deps, model, spending });
  const found = await findSources(scope, { ...standalone, filters, contextUrl }, paying);
  const phrases = phrasesOf(questionLanguage(question, languages));
  const { query } = standalone;
  const { sources, refers } = found;
  const asked = { question, query, filters, turns, languages, phrases, sources, refers };
  const end = yield* answer(scope, asked, { ...paying, model, spending });
  await remembered(session, { question, standalone: query, answer: end.answer }, scope, deps);
  const degraded = found.degraded || end.failed || !affordable;
  return { ...outcome(end, session, spending), query, degraded };
}

const outcome = (
  { answer: text, sources, refused, model }: AnswerEnd,
  session: Session | undefined,
  { tokens, savedTokens }: Spending,
) => ({ answer: text, sources, sessionId: session?.sessionId, tokens, savedTokens, refused, model });

/** Stores the turn. An outage is only reported: the visitor already has the answer. */
async function remembered(
  session: Session | undefined,
  turn: Parameters<typeof addTurn>[1],
  scope: ChatScope,
  deps: ChatDeps,
): Promise<void> {
  if (!session) return;
  try {
    await addTurn(session, turn, scope, deps);
  } catch (error) {
    if (!isOutage(error)) throw error;
    deps.report('a chat session could not be stored', error);
  }
}
