/** Shows the search page of the site or group that the address names, or else of the demo. */

const main = document.getElementById('page');
const title = document.getElementById('title');
const parameters = new URLSearchParams(location.search);
const named = { site: parameters.get('site'), group: parameters.get('group') };
const demo = named.site || named.group ? undefined : await demoSite();
const site = named.site ?? demo?.siteId;

if (named.group) show('group', named.group);
else if (site) show('site', site);
else main?.append(contentOf('nothing'));
if (demo && title) {
  title.textContent = demo.name;
  document.title = `${demo.name} · Site search`;
}

function show(kind: 'site' | 'group', id: string): void {
  const page = document.createElement('site-search-page');
  page.setAttribute(kind, id);
  page.setAttribute('facets', 'auto');
  page.setAttribute('answers', 'auto');
  if (demo) page.append(contentOf('examples'));
  main?.append(page);
  const script = document.createElement('script');
  script.src = '/v1/site-search.js';
  script.onload = () => page.shadowRoot?.querySelector('input')?.focus();
  document.head.append(script);
}

function contentOf(name: string): Node {
  const template = document.getElementById(name);
  return template instanceof HTMLTemplateElement ? template.content.cloneNode(true) : document.createTextNode('');
}

async function demoSite(): Promise<{ readonly siteId: string; readonly name: string } | undefined> {
  const response = await fetch('/demo-site.json').catch(() => undefined);
  if (!response?.ok) return undefined;
  const { siteId, name }: { siteId?: unknown; name?: unknown } = await response.json();
  return typeof siteId === 'string' ? { siteId, name: String(name) } : undefined;
}

export {};
