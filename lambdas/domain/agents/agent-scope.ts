import { type ChatScope, groupScope, siteScope } from '../answers/chat-scope.ts';
import type { EventScope } from '../ports/event-log.ts';
import type { SearchGroup } from '../sites/groups/group.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { Mcp } from '../sites/site-settings.ts';

/** The site, or the sites of a group, that agents read. */
export type AgentScope = ChatScope & {
  readonly name: string;
  readonly description: string | undefined;
  readonly mcp: Mcp;
  readonly events: EventScope;
};

export const siteForAgents = (site: SiteRecord): AgentScope => {
  const { orgId, siteId, name, description, mcp = {} } = site.settings;
  return { ...withoutSessions(siteScope(site)), name, description, mcp, events: { orgId, siteId } };
};

export const groupForAgents = (group: SearchGroup, sites: readonly SiteRecord[]): AgentScope => {
  const { orgId, name, description, mcp = {} } = group;
  return { ...withoutSessions(groupScope(group, sites)), name, description, mcp, events: { orgId } };
};

/** An agent keeps its own conversation, so a session would only be stored. */
const withoutSessions = (scope: ChatScope): ChatScope => ({
  ...scope,
  publicAccess: { ...scope.publicAccess, anonymousSessions: false },
});
