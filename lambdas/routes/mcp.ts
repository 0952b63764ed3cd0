import * as z from 'zod';
import { GroupParams, SiteParams } from './parameters.ts';
import type { Route } from './route.ts';
import { searchErrors } from './search.ts';

const Message = z
  .looseObject({
    jsonrpc: z.string().optional().describe('`2.0`'),
    method: z.string().optional().describe('such as `tools/list` or `tools/call`'),
    params: z.looseObject({}).optional().describe('of the method'),
  })
  .meta({ id: 'McpMessage' });

/** A message of MCP, or several in the revision that had batches. The protocol's own code validates it. */
export const McpRequest = z.union([Message, z.array(Message).max(100)]).describe('a message of the protocol');

const Answer = z
  .looseObject({
    jsonrpc: z.string().describe('`2.0`'),
    result: z.looseObject({}).optional().describe('of the method'),
  })
  .meta({ id: 'McpAnswer' });

export const McpResponse = z
  .union([Answer, z.array(Answer)])
  .describe('a message of the protocol; a notification is answered with 202 and no body');
export type McpResponse = z.infer<typeof McpResponse>;

const uses = ['table', 'page-store-reader', 'index-reader', 'event-sink', 'embedder', 'chat-model'] as const;

export const mcp = {
  'call-site-mcp': {
    method: 'post',
    paths: ['/public/sites/{siteId}/mcp'],
    summary: 'Speak MCP with a site: agents search it and read its pages',
    uses,
    access: { feature: 'mcp', scope: 'site' },
    params: SiteParams,
    body: McpRequest,
    status: 200,
    response: McpResponse,
    errors: searchErrors,
  },
  'call-group-mcp': {
    method: 'post',
    paths: ['/public/groups/{groupId}/mcp'],
    summary: 'Speak MCP with a group: agents search its sites and read their pages',
    uses,
    access: { feature: 'mcp', scope: 'group' },
    params: GroupParams,
    body: McpRequest,
    status: 200,
    response: McpResponse,
    errors: searchErrors,
  },
} as const satisfies Record<string, Route>;
