/** The name by which robots.txt, `X-Robots-Tag` and robots meta elements address this crawler. */
export const ROBOTS_TOKEN = 'sitesearchbot';

/** The crawler's User-Agent header; the contact is for owners of websites. */
export const userAgent = (contact: string | undefined): string =>
  contact === undefined ? 'SiteSearchBot/1.0' : `SiteSearchBot/1.0 (+${contact})`;
