/** The address that a person means: with a scheme, which few type. Undefined if it is none of a website. */
export function siteAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return undefined;
  const isLocal = /^(?:localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(text);
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return isLocal || url.hostname === 'localhost' || /[.:]/.test(url.hostname) ? url.href : undefined;
}

/** The hosts whose pages may search a site: its own, with and without `www.`, and that of the search page here. */
export function suggestedDomains(baseUrl: string): readonly string[] {
  const { hostname } = new URL(baseUrl);
  const twin = hostname.startsWith('www.') ? hostname.slice('www.'.length) : `www.${hostname}`;
  const isName = /^[a-z0-9-]+\.[a-z]{2,}$/i.test(hostname) || hostname.startsWith('www.');
  return [...new Set([hostname, ...(isName ? [twin] : []), location.hostname])];
}
