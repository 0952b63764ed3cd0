import { tableReader } from '#adapters/table';
import { groupForAgents } from '../domain/agents/agent-scope.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { mcp } from '../routes/mcp.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { mcpReply } from '../runtime/mcp.ts';
import { siteServer } from '../runtime/site-tools.ts';

export const handler = endpoint(mcp['call-group-mcp'], async ({ group, ...call }) => {
  const scope = groupForAgents(group, await sitesInGroup(group, tableReader));
  return mcpReply(() => siteServer({ scope, ...call }), call);
});
