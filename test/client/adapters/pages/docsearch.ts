import docsearch from '@docsearch/js/docsearch';
import { docsearchClient } from '@site-search/client';

const { api, site, group } = Object.fromEntries(new URLSearchParams(location.search));
const options = group ? { api: api ?? '', group } : { api: api ?? '', site: site ?? '' };

docsearch({
  container: '#search',
  appId: 'ANY',
  apiKey: 'any',
  indices: [{ name: 'any', searchParameters: { facetFilters: ['language:en', ['docusaurus_tag:default']] } }],
  facets: [{ key: 'tags', label: 'Tags' }],
  transformSearchClient: docsearchClient(options),
});
// The other form of the same option has the right type, too.
export const transformSearchClient: Parameters<typeof docsearch>[0]['transformSearchClient'] = () =>
  docsearchClient(options);
