import { type GivenSearch, integerIn, oneOf, textIn } from '../../address.ts';
import type { Schemas } from '../../api.ts';

export type SiteStatus = Schemas['SiteSummary']['status'];
export const STATUSES = ['pending', 'crawling', 'ready', 'error'] as const satisfies readonly SiteStatus[];

export type SitesAddress = {
  readonly q?: string | undefined;
  readonly status?: SiteStatus | undefined;
  readonly page?: number | undefined;
};

export const parseSites = (given: GivenSearch): SitesAddress => ({
  q: textIn(given, 'q'),
  status: oneOf(given, 'status', STATUSES),
  page: integerIn(given, 'page', 2, 10_000),
});
