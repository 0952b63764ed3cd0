import { type GivenSearch, oneOf, textIn } from '../../address.ts';

/** How far the walk to the first search has come. A reload or another tab goes on from there. */
export type FirstSiteAddress = {
  readonly site?: string | undefined;
  /** The dry run. */
  readonly look?: string | undefined;
  readonly crawl?: string | undefined;
  readonly step?: 'search' | 'embed' | undefined;
  readonly q?: string | undefined;
};

export const parseFirstSite = (given: GivenSearch): FirstSiteAddress => ({
  site: textIn(given, 'site'),
  look: textIn(given, 'look'),
  crawl: textIn(given, 'crawl'),
  step: oneOf(given, 'step', ['search', 'embed']),
  q: textIn(given, 'q'),
});
