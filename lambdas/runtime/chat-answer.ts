import { embedder, index } from '#adapters/search-index';
import { table } from '#adapters/table';
import { chatModel } from '../connectors/chat-model/configured.ts';
import { builtinEmbedder } from '../connectors/embedder/builtin.ts';
import type { ChatDeps } from '../domain/answers/answer.ts';
import type { ChatOutcome } from '../domain/answers/chat.ts';
import type { Source } from '../domain/answers/sources.ts';
import type { ChatResponse } from '../routes/chat.ts';
import { defined } from '../text/defined.ts';
import { log } from './log.ts';
import { clock, randomToken } from './system.ts';

/** The dependencies of an answer. Each request adds its signal. */
export const chatDeps: Omit<ChatDeps, 'signal'> = {
  table,
  index,
  carried: new Set(),
  embedder,
  model: chatModel,
  comparer: builtinEmbedder(),
  clock,
  newSessionId: randomToken,
  newBoundary: randomToken,
  report: (message, error) => log('warn', message, { error }),
};

export const chatResponse = ({ answer, sources, sessionId, tokens }: ChatOutcome): ChatResponse => ({
  response: answer,
  answer,
  sources: sources.map(shownSource),
  ...defined({ sessionId }),
  tokensUsed: tokens,
});

export const shownSource = ({ url, title, relevance }: Source) => ({ url, title, relevance, score: relevance });
