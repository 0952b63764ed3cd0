/** The address of a page, if it is one of the web: nothing else becomes a link. */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The steps to a page: `guide`, `crawl-settings`; the host before them if it is another than that of the document. */
export function crumbsOf({ host, pathname }: URL): readonly string[] {
  const steps = pathname.split('/').filter((step) => step && !/^index\.\w+$/.test(step));
  return [...(host === location.host ? [] : [host.replace(/^www\./, '')]), ...steps].map(decoded);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
