import { type SitePage, type WebSite, webSite } from './web-site.ts';

const SHELL = `<!doctype html><html lang="en"><head><title>Garden shop</title><script type="module" src="/app.js"></script></head>
<body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript></body></html>`;

const APP = `
const get = async (path) => (await fetch(path)).json();
const route = location.pathname;
const root = document.getElementById('root');
if (route === '/') {
  const { products } = await get('/api/products');
  document.title = 'Everything for the garden';
  root.innerHTML = '<main><h1>Everything for the garden</h1><p>Seeds, spades and lanterns for every season of the year.</p><ul id="list"></ul></main>';
  for (const { id, name } of products) {
    const link = document.createElement('a');
    link.href = '/products/' + id;
    link.textContent = name;
    document.getElementById('list').append(link);
  }
} else {
  const { name, text } = await get('/api' + route);
  document.title = name;
  root.innerHTML = '<main><h1></h1><p></p></main>';
  root.querySelector('h1').textContent = name;
  root.querySelector('p').textContent = text;
}`;

export type Product = { readonly name: string; readonly text: string };

/**
 * A single-page application on loopback: every page is the same shell, which never changes, and its script asks an API
 * for the rest. The API shows the products as they are when it is asked.
 */
export async function spaSite(products: Readonly<Record<string, Product>>): Promise<WebSite> {
  const json =
    (value: () => unknown): SitePage =>
    (_, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value()));
  const shell: SitePage = (request, response) => {
    const isSame = request.headers['if-none-match'] === '"shell"';
    response.writeHead(isSame ? 304 : 200, { 'Content-Type': 'text/html; charset=utf-8', ETag: '"shell"' });
    response.end(isSame ? undefined : SHELL);
  };
  const script: SitePage = (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(APP);
  return webSite({
    '/': shell,
    '/app.js': script,
    '/api/products': json(() => ({ products: Object.entries(products).map(([id, { name }]) => ({ id, name })) })),
    ...Object.fromEntries(
      Object.keys(products).flatMap((id) => [
        [`/products/${id}`, shell],
        [`/api/products/${id}`, json(() => products[id])],
      ]),
    ),
  });
}
