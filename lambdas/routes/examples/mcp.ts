import type { mcp as routes } from '../mcp.ts';
import type { ownerMcp } from '../owner-mcp.ts';
import { type Example, IDS } from './example.ts';

const body = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'opening hours' } },
};
const found = {
  query: 'opening hours',
  results: [
    {
      id: 'https://www.example.com/visit',
      title: 'Visit us',
      url: 'https://www.example.com/visit#hours',
      heading: 'Opening hours',
      text: 'The shop is open from 9 to 17, Monday to Friday.',
      score: 0.86,
      crawledAt: '2026-11-23T08:00:00.000Z',
    },
  ],
  totalResults: 1,
  note: 'To read a page, call fetch with its id.',
};
const result = { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
const response = { jsonrpc: '2.0', id: 1, result };

const SITES = JSON.stringify({ sites: [{ siteId: IDS.siteId, name: 'Example', status: 'ready', pageCount: 1149 }] });

export const mcp = {
  'call-site-mcp': { body, response },
  'call-group-mcp': { body, response },
  'call-owner-mcp': {
    body: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list-sites', arguments: {} } },
    response: { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: SITES }] } },
  },
} satisfies Record<keyof typeof routes | keyof typeof ownerMcp, Example>;
