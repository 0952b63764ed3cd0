import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { table } from '#adapters/table';
import { deleteIndexPages } from '../domain/pages/removal/delete-pages.ts';
import { content } from '../routes/content.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(content['delete-index-pages'], ({ params, body, caller }) =>
  deleteIndexPages({ ...params, ...body }, caller, { table, pageStore, pageIndex, clock }),
);
