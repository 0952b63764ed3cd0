import createClient from 'openapi-fetch';
import type { paths as Api } from './openapi-typescript/api.ts';
import type { paths as Visitors } from './openapi-typescript/v1.ts';
import { expected, NEW_SITE, PAGE, QUERY, service } from './service.ts';

const api = createClient<Api>({
  baseUrl: service.baseUrl,
  headers: { Authorization: `Bearer ${service.apiKey}` },
});
const visitor = createClient<Visitors>({ baseUrl: service.publicUrl });

const created = await api.POST('/sites', { body: NEW_SITE });
const path = { siteId: expected(created.data?.siteId, 'the id of a new site', created.error) };

const ingested = await api.POST('/sites/{siteId}/pages', { params: { path }, body: { pages: [PAGE] } });
expected(ingested.data?.results[0]?.status === 'success', 'an ingested page', ingested.data ?? ingested.error);

const found = await visitor.POST('/public/sites/{siteId}/search', {
  params: { path },
  body: { query: QUERY, filters: { tags: ['tides', 'boats'] }, facets: ['tags'] },
});
const [start, end] = expected(found.data?.results[0]?.highlights[0], 'a result with highlights', found.error);
expected(end > start, 'a highlight that is not empty');
const [facet] = found.data?.facets ?? [];
expected(facet?.type === 'string' && facet.values[0]?.count === 1, 'a facet of strings', facet);

const listed = await visitor.GET('/public/sites/{siteId}/search', { params: { path, query: { q: QUERY } } });
expected(listed.data?.totalResults === 1, 'one result', listed.data ?? listed.error);

const chat = await visitor.POST('/public/sites/{siteId}/chat', { params: { path }, body: { message: QUERY } });
expected(chat.data?.answer.includes('noon') && chat.data.sources[0]?.url, 'an answer', chat.data ?? chat.error);

const site = await api.GET('/sites/{siteId}', { params: { path } });
expected(site.data?.crawlerConfig.javascriptEnabled === false, 'the settings of the site', site.error);

const deleted = await api.DELETE('/sites/{siteId}', { params: { path } });
expected(deleted.data?.success, 'a deleted site', deleted.error);
