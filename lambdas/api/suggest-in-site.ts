import { eventReader as eventLog } from '#adapters/event-log';
import { pageFinder } from '#adapters/page-index';
import { FrequentQueries } from '../domain/analytics/frequent-queries.ts';
import { suggestInSite } from '../domain/search/suggest-in-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { report } from '../runtime/log.ts';
import { clock } from '../runtime/system.ts';

const frequentQueries = new FrequentQueries({ eventLog, clock });

export const handler = endpoint(search['suggest-in-site'], ({ site, query }) =>
  suggestInSite(site, query.q, { index: pageFinder, frequentQueries, report }),
);
