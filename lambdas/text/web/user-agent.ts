/** The name by which robots.txt, `X-Robots-Tag` and robots meta elements address this crawler. */
export const ROBOTS_TOKEN = 'sitesearchbot';

/** Returns the crawler's User-Agent header. Owners of websites can use the contact in it. */
export const userAgent = (contact: string | undefined): string =>
  contact === undefined ? 'SiteSearchBot/1.0' : `SiteSearchBot/1.0 (+${contact})`;
