export type { ChatEvent, ChatSource } from './chat-events.ts';
export * from './client.ts';
export { docsearchClient } from './docsearch.ts';
export { instantsearchClient } from './instantsearch.ts';
export { type ErrorCode, type Issue, SearchError } from './search-error.ts';
