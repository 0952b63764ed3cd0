import { defined } from '../../text/defined.ts';
import type { EventScope } from '../ports/event-log.ts';
import type { LoggedEvent } from '../ports/logged-event.ts';
import { type ChatMade, chatEvent, type EventDeps, searchEvent, visitorEvent } from './new-events.ts';

/**
 * Returns the scope in which agents are counted, apart from people: an organisation of their own beside the real one.
 * The event log needs no other counts for them, and deletes both with the site.
 */
export const agentsOf = ({ orgId, siteId }: EventScope): EventScope => ({
  orgId: `${orgId}#agents`,
  ...defined({ siteId }),
});

/** What an agent did. A search has the number of its results. */
export type AgentAction =
  | { readonly type: 'search'; readonly query: string; readonly results: number }
  | { readonly type: 'read'; readonly url: string }
  | ({ readonly type: 'answer' } & ChatMade)
  | {
      readonly type: 'feedback';
      readonly query: string;
      readonly helpful: boolean;
      readonly missing?: string | undefined;
    };

export function agentEvent(scope: EventScope, action: AgentAction, deps: EventDeps): LoggedEvent {
  const agents = agentsOf(scope);
  switch (action.type) {
    case 'search':
      return searchEvent(agents, { ...action, visitor: undefined }, deps);
    case 'read':
      return visitorEvent(agents, { type: 'click', query: '', url: action.url, position: 1 }, deps);
    case 'answer':
      return chatEvent(agents, action, deps);
    case 'feedback': {
      const { query, helpful, missing } = action;
      const feedback = visitorEvent(agents, { type: 'feedback', query, helpful, comment: missing }, deps);
      return feedback.type === 'feedback' ? { ...feedback, agent: true } : feedback;
    }
  }
}
