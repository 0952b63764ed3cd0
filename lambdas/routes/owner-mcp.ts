import * as z from 'zod';
import { analytics } from './analytics.ts';
import { content } from './content.ts';
import { crawl } from './crawl.ts';
import { groups } from './groups.ts';
import { health } from './health.ts';
import { inspection } from './inspection.ts';
import { keys } from './keys.ts';
import { McpRequest, McpResponse } from './mcp.ts';
import { flagInUrl, NoParams } from './parameters.ts';
import { reviews } from './reviews.ts';
import { member, type Route } from './route.ts';
import { sites } from './sites.ts';
import { webhooks } from './webhooks.ts';

/** The operations of callers with a key, each of which is a tool. */
export const toolRoutes = {
  ...sites,
  ...crawl,
  ...content,
  ...health,
  ...inspection,
  ...reviews,
  ...webhooks,
  ...groups,
  ...analytics,
  ...keys,
} as const satisfies Record<string, Route>;
export type ToolName = keyof typeof toolRoutes;

const all: readonly Route[] = Object.values(toolRoutes);

export const ownerMcp = {
  'call-owner-mcp': {
    method: 'post',
    paths: ['/mcp'],
    summary: 'Speak MCP with the organisation: agents use the operations of this API as tools',
    // A tool runs the code of its endpoint.
    uses: [...new Set(all.flatMap(({ uses = [] }) => uses))],
    sends: [...new Set(all.flatMap(({ sends = [] }) => sends))],
    access: member,
    params: NoParams,
    query: z.object({
      write: flagInUrl(false).describe('whether tools may change something; by default they only read'),
    }),
    body: McpRequest,
    status: 200,
    response: McpResponse,
  },
} as const satisfies Record<string, Route>;
