import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpResponse } from '../routes/mcp.ts';
import type { ApiEvent } from './api-event.ts';
import { log } from './log.ts';
import { Reply } from './responses.ts';

export type NewServer = () => Promise<McpServer | Server>;

type Call = { readonly event: ApiEvent; readonly body: unknown; readonly closed: AbortSignal };

/** The protocol's library reads nothing of it but the path. */
const ANY_URL = 'http://mcp.invalid/mcp';

/**
 * Answers one message of MCP without a session. The answer is one JSON body in every revision of the protocol, because
 * neither a function nor the gateway keeps a stream.
 */
export async function mcpReply(newServer: NewServer, { event, body, closed }: Call): Promise<Reply<McpResponse>> {
  const request = requestOf(event, closed);
  const response = (await isLegacyRequest(request, body))
    ? await earlierAnswer(newServer, request, body)
    : await presentAnswer(newServer, request, body);
  const text = await response.text();
  return new Reply((text === '' ? undefined : JSON.parse(text)) as McpResponse, {}, response.status);
}

async function presentAnswer(newServer: NewServer, request: Request, parsedBody: unknown): Promise<Response> {
  // Without subscriptions, whose streams would stay open, and without messages before a result, no answer streams.
  const handler = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0, onerror });
  try {
    return await handler.fetch(request, { parsedBody });
  } finally {
    await handler.close();
  }
}

async function earlierAnswer(newServer: NewServer, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = await newServer();
  transport.onerror = onerror;
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

const onerror = (error: Error): void => log('debug', 'a message of MCP was refused', { error });

/** Returns the request with its own headers, but for those that say how it was sent to the server. */
function requestOf({ headers }: ApiEvent, signal: AbortSignal): Request {
  const own = Object.entries(headers).filter(([name]) => /^(?:mcp-|last-event-id$)/i.test(name));
  const given = own.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return new Request(ANY_URL, {
    method: 'POST',
    signal,
    headers: [
      ...given,
      ['Content-Type', 'application/json'],
      // Earlier revisions require both of a client, though a server may choose. A program that reads only JSON is served.
      ['Accept', 'application/json, text/event-stream'],
    ],
  });
}
