import type { IncomingHttpHeaders } from 'node:http';
import { runInNewContext } from 'node:vm';

export type ViewerRequest = { readonly uri: string; readonly headers: Readonly<Record<string, string>> };

type EdgeRequest = { uri: string; headers: Record<string, { value: string }> };

/** Runs the CloudFront function of a behavior before the cache is asked. */
export function viewerRequest(
  code: string,
  { ip, method, uri, headers }: { ip: string; method: string; uri: string; headers: IncomingHttpHeaders },
): ViewerRequest {
  const given = Object.entries(headers).map(([name, value]) => [name, { value: [value].flat().join(', ') }]);
  const request = { method, uri, querystring: {}, headers: Object.fromEntries(given), cookies: {} };
  const event = { version: '1.0', context: {}, viewer: { ip }, request };
  const answered = runInNewContext(`${code}\nhandler(event)`, { event }, { timeout: 1000 }) as EdgeRequest;
  const changed = Object.entries(answered.headers).map(([name, { value }]) => [name, value] as const);
  return { uri: answered.uri, headers: Object.fromEntries(changed) };
}
