/**
 * Runs at the edge before the cache look-up (CloudFront Functions, runtime 2.0, which has no URL parser).
 * Sets the client's address and origin, and drops those that the client sent. The service decides what they allow.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const request = event.request;
  const headers = request.headers;

  headers['x-client-ip'] = { value: event.viewer.ip };

  // The origin of a Referer ends before its third slash: `https://host`.
  const origin = headers.origin ? headers.origin.value : '';
  const referer = headers.referer ? headers.referer.value : '';
  const effective = origin || referer.split('/').slice(0, 3).join('/');
  if (effective) headers['x-effective-origin'] = { value: effective };
  else delete headers['x-effective-origin'];

  // For the gateway, `/sites/` and `/sites` are different paths.
  if (request.uri.length > 1 && request.uri.endsWith('/')) request.uri = request.uri.slice(0, -1);
  return request;
}
