/** The name by which robots.txt, `X-Robots-Tag` and robots meta elements address this crawler. */
export const ROBOTS_TOKEN = 'sitesearchbot';

/** What the crawler calls itself in its requests; the contact is where the owner of a website can ask or complain. */
export const userAgent = (contact: string | undefined): string =>
  contact === undefined ? 'SiteSearchBot/1.0' : `SiteSearchBot/1.0 (+${contact})`;
