import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller } from '../domain/sites/access/api-key.ts';
import type { SearchGroup } from '../domain/sites/groups/group.ts';
import type { Standing } from '../domain/sites/limits/limiter.ts';
import type { SiteRecord } from '../domain/sites/site.ts';

export type ApiResponse = APIGatewayProxyResult & {
  headers: Record<string, string>;
  /** The body of a response that streams. Aborting the signal ends the work on it. */
  stream?: (closed: AbortSignal) => AsyncIterable<string>;
};

/** An event of API Gateway, with what the chain of `endpoint` adds to it. */
export type ApiEvent = APIGatewayProxyEvent & {
  /** When a laptop's server had read the request, in epoch milliseconds. Absent in AWS, where no event waits. */
  receivedAt?: number | undefined;
  /** Aborted when the client has closed the connection. Absent in AWS, where a function does not learn of it. */
  closed?: AbortSignal | undefined;
  /** Most bytes of an ingestion, decompressed, that a laptop's server takes. Absent in AWS, where an event holds fewer. */
  largestIngestion?: number | undefined;
  caller?: Caller | undefined;
  /** The site or group that a public path names. */
  site?: SiteRecord | undefined;
  group?: SearchGroup | undefined;
  /** For Access-Control-Allow-Origin: an origin that the site or group allows. */
  allowedOrigin?: string | undefined;
  /** The site or group admits this request by its Referer, and none without it. */
  isAllowedByReferer?: boolean | undefined;
  /** The caller's standing with the limit that has the fewest calls left. */
  standing?: Standing | undefined;
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
};

/** Finds a header by its lower-case name, whatever its case in the request. */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const entry = Object.entries(event.headers ?? {}).find(([written]) => written.toLowerCase() === name);
  return entry?.[1];
}

/**
 * A header that the edge has set. It is believed only if the gateway has found the edge's key in the request
 * (`apiKeyId`, which no client can set).
 */
export const fromEdge = (event: ApiEvent, name: string): string | undefined =>
  event.requestContext.identity?.apiKeyId ? header(event, name) : undefined;

/** The address that a call comes from. No other header, such as `X-Forwarded-For`, is believed. */
export const clientAddress = (event: ApiEvent): string =>
  fromEdge(event, 'x-client-ip') || event.requestContext.identity?.sourceIp || '';
