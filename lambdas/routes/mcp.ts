import * as z from 'zod';
import { GroupParams, SiteParams } from './parameters.ts';
import type { Route } from './route.ts';
import { searchErrors } from './search.ts';

const MessageId = z.union([z.string(), z.number()]);

const Message = z
  .looseObject({
    jsonrpc: z.string().optional().describe('`2.0`'),
    id: MessageId.optional().describe('absent from a notification, which has no answer'),
    method: z.string().optional().describe('such as `tools/list` or `tools/call`'),
    params: z.looseObject({}).optional().describe('of the method'),
  })
  .meta({ id: 'McpMessage' });

/** A message of MCP, or several in the revision that had batches. The protocol's own code validates it. */
export const McpRequest = z.union([Message, z.array(Message).max(100)]).meta({ id: 'McpRequest' });

const Answer = z
  .looseObject({
    jsonrpc: z.string().describe('`2.0`'),
    id: MessageId.nullable().optional().describe('of the request'),
    result: z.looseObject({}).optional().describe('of the method'),
  })
  .meta({ id: 'McpAnswer' });

export const McpResponse = z
  .union([Answer, z.array(Answer)])
  .meta({ id: 'McpResponse', description: 'a notification is answered with 202, without a body' });
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
