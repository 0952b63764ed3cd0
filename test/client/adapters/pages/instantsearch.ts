import { instantsearchClient } from '@site-search/client/instantsearch';
import instantsearch from 'instantsearch.js';
import { configure, hits, pagination, rangeInput, refinementList, searchBox, stats } from 'instantsearch.js/es/widgets';

const { api = '', site = '' } = Object.fromEntries(new URLSearchParams(location.search));
const search = instantsearch({ indexName: 'any', searchClient: instantsearchClient({ api, site }) });

search.addWidgets([
  searchBox({ container: '#box' }),
  stats({ container: '#stats' }),
  hits({
    container: '#hits',
    templates: {
      item: (hit, { html, components }) =>
        html`<a href="${hit.url}">${components.Highlight({ hit, attribute: 'title' })}</a>
          <p>${components.Snippet({ hit, attribute: 'snippet' })}</p>`,
    },
  }),
  refinementList({ container: '#tags', attribute: 'tags', searchable: true }),
  rangeInput({ container: '#price', attribute: 'price' }),
  pagination({ container: '#pages' }),
  configure({ hitsPerPage: 3 }),
]);
search.start();
