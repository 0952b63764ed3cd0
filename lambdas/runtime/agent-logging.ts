import { sendEvent } from '#adapters/event-sink';
import { type AgentAction, agentEvent } from '../domain/analytics/agent-events.ts';
import type { EventScope } from '../domain/ports/event-log.ts';
import { clock, newId } from './system.ts';

/** Logs what an agent did, apart from what people do. Does not fail or delay its answer. */
export const logAgent = (scope: EventScope, action: AgentAction): void =>
  sendEvent(agentEvent(scope, action, { clock, newId }));
