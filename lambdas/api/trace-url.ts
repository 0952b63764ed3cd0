import { pageStoreReader as pageStore } from '#adapters/page-store';
import { tableReader } from '#adapters/table';
import { traceUrl } from '../domain/insight/inspection/trace-url.ts';
import { inspection } from '../routes/inspection.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchDeps } from '../runtime/search.ts';

export const handler = endpoint(inspection['trace-url'], ({ params, query, caller }) =>
  traceUrl({ ...params, ...query }, caller, { table: tableReader, pageStore, search: searchDeps(caller.orgId) }),
);
