/**
 * Runs at the edge before the cache is asked (CloudFront Functions, runtime 2.0: no URL parser). It tells the service where a
 * request comes from, whatever the client said of that itself; the service judges.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const request = event.request;
  const headers = request.headers;

  headers['x-client-ip'] = { value: event.viewer.ip };

  // `https://host/path` up to its third slash
  const origin = headers.origin ? headers.origin.value : '';
  const referer = headers.referer ? headers.referer.value : '';
  const effective = origin || referer.split('/').slice(0, 3).join('/');
  if (effective) headers['x-effective-origin'] = { value: effective };
  else delete headers['x-effective-origin'];

  // The gateway tells `/sites/` from `/sites`.
  if (request.uri.length > 1 && request.uri.endsWith('/')) request.uri = request.uri.slice(0, -1);
  return request;
}
