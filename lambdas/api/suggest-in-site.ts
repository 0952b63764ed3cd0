import { pageIndex } from '#adapters/page-index';
import { suggest } from '../core/search/suggest.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(search['suggest-in-site'], ({ site, query }) => suggest([site], query.q, pageIndex));
