import { tableReader } from '#adapters/table';
import { AppError, NotFoundError } from '../domain/errors.ts';
import type { ApiEvent, ApiResponse } from '../runtime/api-event.ts';
import { unrouted } from '../runtime/endpoint.ts';
import { preflight } from '../runtime/preflight.ts';
import { failure } from '../runtime/responses.ts';
import { type RouteMatch, routesAt } from '../runtime/route-match.ts';

/** Answers all requests that match no route: unknown paths and methods, and preflights. */
export const handler = unrouted((event) => refusal(routesAt(event.path), event));

async function refusal(here: readonly RouteMatch[], event: ApiEvent): Promise<ApiResponse> {
  if (here.length === 0) throw new NotFoundError('Path');
  if (event.httpMethod === 'OPTIONS') return preflight(here, event, tableReader);
  return wrongMethod(here, event);
}

function wrongMethod(here: readonly RouteMatch[], event: ApiEvent): ApiResponse {
  const methods = here.map(({ route }) => route.method.toUpperCase()).join(', ');
  const response = failure(new AppError('method_not_allowed', `This path supports only ${methods}`), event);
  return { ...response, headers: { ...response.headers, Allow: methods } };
}
