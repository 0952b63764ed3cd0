import { createClient } from './hey-api/api/client';
import { createSite, deleteSite, getSite, ingestPages } from './hey-api/api/sdk.gen';
import { createClient as createVisitor } from './hey-api/v1/client';
import { chatWithSite, searchSite, searchSiteByPost } from './hey-api/v1/sdk.gen';
import { expected, NEW_SITE, PAGE, QUERY, service } from './service.ts';

const client = createClient({ baseUrl: service.baseUrl, auth: service.apiKey });
const visitor = createVisitor({ baseUrl: service.publicUrl });

const created = await createSite({ client, body: NEW_SITE });
const path = { siteId: expected(created.data?.siteId, 'the id of a new site', created.error) };

const ingested = await ingestPages({ client, path, body: { pages: [PAGE] } });
expected(ingested.data?.results[0]?.status === 'success', 'an ingested page', ingested.data ?? ingested.error);

const body = { query: QUERY, filters: { tags: ['tides', 'boats'] }, facets: ['tags'] };
const found = await searchSiteByPost({ client: visitor, path, body });
const [start, end] = expected(found.data?.results[0]?.highlights[0], 'a result with highlights', found.error);
expected(end > start, 'a highlight that is not empty');
const [facet] = found.data?.facets ?? [];
expected(facet?.type === 'string' && facet.values[0]?.count === 1, 'a facet of strings', facet);

const listed = await searchSite({ client: visitor, path, query: { q: QUERY } });
expected(listed.data?.totalResults === 1, 'one result', listed.data ?? listed.error);

const chat = await chatWithSite({ client: visitor, path, body: { message: QUERY } });
expected(chat.data?.answer.includes('noon') && chat.data.sources[0]?.url, 'an answer', chat.data ?? chat.error);

const site = await getSite({ client, path });
expected(site.data?.crawlerConfig.javascriptEnabled === false, 'the settings of the site', site.error);

const deleted = await deleteSite({ client, path });
expected(deleted.data?.success, 'a deleted site', deleted.error);
