import { siteForAgents } from '../domain/agents/agent-scope.ts';
import { mcp } from '../routes/mcp.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { mcpReply } from '../runtime/mcp.ts';
import { siteServer } from '../runtime/site-tools.ts';

export const handler = endpoint(mcp['call-site-mcp'], ({ site, ...call }) =>
  mcpReply(() => siteServer({ scope: siteForAgents(site), ...call }), call),
);
