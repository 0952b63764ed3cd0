import { tableReader } from '#adapters/table';
import { siteHealth } from '../domain/insight/health/health.ts';
import { health } from '../routes/health.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(health['get-health'], ({ params, caller }) =>
  siteHealth(params.siteId, caller, tableReader),
);
