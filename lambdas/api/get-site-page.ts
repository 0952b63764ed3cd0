import { pageStoreReader as pageStore } from '#adapters/page-store';
import { tableReader as table } from '#adapters/table';
import { AppError } from '../domain/errors.ts';
import { pageMarkdown } from '../domain/pages/read-page-markdown.ts';
import { pages } from '../routes/pages.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { alsoMarkdown } from '../runtime/text-answers.ts';

const NO_PAGE =
  'This site has no indexed page at this address. Use the address of a search result, or read llms.txt of the site.';

export const handler = alsoMarkdown(
  endpoint(pages['get-site-page'], async ({ site, query }) => {
    const page = await pageMarkdown(site, query.url, { table, pageStore });
    if (!page) throw new AppError('not_found', NO_PAGE);
    return page;
  }),
);
