import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller } from '../domain/sites/access/api-key.ts';
import type { SearchGroup } from '../domain/sites/groups/group.ts';
import type { RateLimitStatus } from '../domain/sites/limits/limiter.ts';
import type { SiteRecord } from '../domain/sites/site.ts';

export type ApiResponse = APIGatewayProxyResult & {
  headers: Record<string, string>;
  /** The body of a streamed response. Aborting the signal stops the work on it. */
  stream?: (closed: AbortSignal) => AsyncIterable<string>;
};

/** An event of API Gateway with the fields that the chain of `endpoint` adds. */
export type ApiEvent = APIGatewayProxyEvent & {
  /** When a local server had read the request, in epoch milliseconds. Absent in AWS, where no event waits. */
  receivedAt?: number | undefined;
  /** Aborts when the client has closed the connection. Absent in AWS, where a function does not learn of it. */
  closed?: AbortSignal | undefined;
  /**
   * The most bytes, decompressed, of an ingestion that a local server accepts. Absent in AWS, where an event holds
   * fewer.
   */
  largestIngestion?: number | undefined;
  caller?: Caller | undefined;
  /** The site or group in a public path. */
  site?: SiteRecord | undefined;
  group?: SearchGroup | undefined;
  /** The value of Access-Control-Allow-Origin: an origin that the site or group allows. */
  allowedOrigin?: string | undefined;
  /** Whether the site or group admits this request only because of its Referer. */
  isAllowedByReferer?: boolean | undefined;
  /** The status of the rate limit that has the fewest calls left. */
  standing?: RateLimitStatus | undefined;
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
};

/** Finds a header by its lower-case name, whatever its case in the request. */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const entry = Object.entries(event.headers ?? {}).find(([written]) => written.toLowerCase() === name);
  return entry?.[1];
}

/**
 * Returns a header that the edge has set. It is trusted only if the gateway has found the edge's key in the request
 * (`apiKeyId`, which no client can set).
 */
export const fromEdge = (event: ApiEvent, name: string): string | undefined =>
  event.requestContext.identity?.apiKeyId ? header(event, name) : undefined;

/** Returns the address that a call comes from. Trusts no other header, such as `X-Forwarded-For`. */
export const clientAddress = (event: ApiEvent): string =>
  fromEdge(event, 'x-client-ip') || event.requestContext.identity?.sourceIp || '';
