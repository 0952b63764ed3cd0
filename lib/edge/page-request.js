/**
 * Runs at the edge before the cache look-up (CloudFront Functions, runtime 2.0). Names the file of a page. Each screen of
 * the dashboard is the same file.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name
function handler(event) {
  const request = event.request;
  const path = request.uri;
  if (path === '/') request.uri = '/index.html';
  else if (path === '/docs' || path === '/docs/') request.uri = '/docs/index.html';
  else if (/^\/app(\/|$)/.test(path) && !/\.[^/]*$/.test(path)) request.uri = '/app/index.html';
  return request;
}
