import { eventReader as eventLog } from '#adapters/event-log';
import { pageFinder } from '#adapters/page-index';
import { suggestInSite } from '../domain/search/suggest-in-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { report } from '../runtime/log.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(search['suggest-in-site'], ({ site, query }) =>
  suggestInSite(site, query.q, { index: pageFinder, eventLog, clock, report }),
);
