import type { LoggedEvent } from '../logged-event.ts';

/** `emptySearches`: searches without results. `clickPositions`: the sum of the clicked positions. */
export type Counts = {
  readonly searches: number;
  readonly emptySearches: number;
  readonly clicks: number;
  readonly clickPositions: number;
  readonly chats: number;
  readonly refusedChats: number;
  readonly degradedChats: number;
  readonly tokens: number;
  readonly savedTokens: number;
  readonly helpful: number;
  readonly unhelpful: number;
};

/** The counts of one query. A chat's question counts only if it was refused, an agent's feedback if it was not helped. */
export type QueryCounts = Pick<Counts, (typeof QUERY_COUNTS)[number]>;

export const NO_COUNTS: Counts = {
  searches: 0,
  emptySearches: 0,
  clicks: 0,
  clickPositions: 0,
  chats: 0,
  refusedChats: 0,
  degradedChats: 0,
  tokens: 0,
  savedTokens: 0,
  helpful: 0,
  unhelpful: 0,
};

export const QUERY_COUNTS = ['searches', 'emptySearches', 'clicks', 'refusedChats'] as const;

export const COUNTS = Object.keys(NO_COUNTS) as readonly (keyof Counts)[];

/** Returns the counts that an event adds. */
export function countsOf(event: LoggedEvent): Partial<Counts> {
  switch (event.type) {
    case 'search':
      return { searches: 1, emptySearches: Number(event.results === 0) };
    case 'chat': {
      const { refused, degraded, tokens, savedTokens } = event;
      return { chats: 1, refusedChats: Number(refused), degradedChats: Number(degraded), tokens, savedTokens };
    }
    case 'click':
      return { clicks: 1, clickPositions: event.position };
    case 'feedback':
      if (event.helpful) return { helpful: 1 };
      return { unhelpful: 1, refusedChats: Number(isUnanswered(event)) };
  }
}

/** Returns the query for which an event counts, if any. */
export function countedQuery(event: LoggedEvent): string | undefined {
  if (event.type === 'search' || event.type === 'click') return event.query;
  return isUnanswered(event) ? event.query : undefined;
}

const isUnanswered = (event: LoggedEvent): boolean =>
  event.type === 'chat' ? event.refused : event.type === 'feedback' && event.agent === true && !event.helpful;

export const sumOf = (counts: readonly Partial<Counts>[]): Counts =>
  counts.reduce<Counts>((sum, next) => {
    const added = COUNTS.map((name) => [name, sum[name] + (next[name] ?? 0)]);
    return Object.fromEntries(added) as Counts;
  }, NO_COUNTS);
