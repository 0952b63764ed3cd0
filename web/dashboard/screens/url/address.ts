import { type GivenSearch, oneOf, textIn } from '../../address.ts';

export type UrlAddress = {
  readonly url?: string | undefined;
  /** The query by which the page should be found. */
  readonly q?: string | undefined;
  /** `test`: the URL is fetched now, as a crawl would do it. */
  readonly view?: 'test' | undefined;
};

export const parseUrl = (given: GivenSearch): UrlAddress => ({
  url: textIn(given, 'url'),
  q: textIn(given, 'q'),
  view: oneOf(given, 'view', ['test']),
});
