/** Shows the search page of the site that the address names, or else of the demo. */
const named = new URLSearchParams(location.search).get('site');
const page = document.createElement('site-search-modal');
const site = named ?? (await demoSite());
if (site !== undefined) page.setAttribute('site', site);
document.getElementById('page')?.append(page);
const script = document.createElement('script');
script.src = '/v1/site-search.js';
document.head.append(script);

async function demoSite(): Promise<string | undefined> {
  const response = await fetch('/demo-site.json');
  if (!response.ok) return undefined;
  const { siteId }: { siteId?: unknown } = await response.json();
  return typeof siteId === 'string' ? siteId : undefined;
}

export {};
