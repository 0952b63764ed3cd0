import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Caller } from '../core/access/api-key.ts';
import type { SiteRecord } from '../core/sites/site.ts';

export type ApiResponse = APIGatewayProxyResult & { headers: Record<string, string> };

/** An event of API Gateway, with what the chain has found out so far. */
export type ApiEvent = APIGatewayProxyEvent & {
  caller?: Caller | undefined;
  site?: SiteRecord | undefined;
  /** The origin that the site admits, to be echoed. */
  allowedOrigin?: string | undefined;
  /** Params, query and body as their schemas make them. */
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
};

/** A header by its lower-case name, in whatever case it came. */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const entry = Object.entries(event.headers ?? {}).find(([written]) => written.toLowerCase() === name);
  return entry?.[1];
}
