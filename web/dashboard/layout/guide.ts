import { queryOptions } from '@tanstack/react-query';

export type GuidePage = { readonly href: string; readonly title: string };

/** The pages of the documentation, where this service shows them as its demo. */
export const guideQuery = () =>
  queryOptions({
    queryKey: ['guide'],
    queryFn: ({ signal }) => guidePages(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

async function guidePages(signal: AbortSignal): Promise<readonly GuidePage[]> {
  const response = await fetch('/demo/', { signal });
  const text = await response.text();
  if (!response.ok) return [];
  const page = new DOMParser().parseFromString(text, 'text/html');
  const links = [...page.querySelectorAll('main a[href]')].map((link) => ({
    url: URL.parse(link.getAttribute('href') ?? '', response.url),
    title: link.textContent,
  }));
  const pages = new Map<string, GuidePage>();
  for (const { url, title } of links) {
    if (url?.origin !== location.origin || !/^\/demo\/\w/.test(url.pathname) || url.hash !== '') continue;
    if (!pages.has(url.pathname)) pages.set(url.pathname, { href: url.pathname, title });
  }
  return [...pages.values()];
}
