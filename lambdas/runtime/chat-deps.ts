import { embedder, index } from '#adapters/search-index';
import { table } from '#adapters/table';
import { chatModel } from '../connectors/chat-model/configured.ts';
import { builtinEmbedder } from '../connectors/embedder/builtin.ts';
import type { ChatDeps } from '../domain/answers/answer.ts';
import { log } from './log.ts';
import { clock, randomToken } from './system.ts';

/** Dependencies of both chat endpoints; each request adds its signal. */
export const chatDeps: Omit<ChatDeps, 'signal'> = {
  ...{ table, index, embedder, model: chatModel, comparer: builtinEmbedder(), clock },
  ...{ newSessionId: randomToken, newBoundary: randomToken },
  report: (message, error) => log('warn', message, { error }),
};
