import { table } from '#adapters/table';
import { AppError, NotFoundError } from '../core/errors.ts';
import type { ApiEvent, ApiResponse } from '../runtime/api-event.ts';
import { endpoint, unrouted } from '../runtime/endpoint.ts';
import { preflight } from '../runtime/preflight.ts';
import { failure } from '../runtime/responses.ts';
import { type RouteMatch, routesAt } from '../runtime/route-match.ts';

/** Takes all other requests: unknown paths and methods, preflights, and routes that are not implemented yet. */
export async function handler(event: ApiEvent, context: unknown): Promise<ApiResponse> {
  const here = routesAt(event.path);
  const match = here.find(({ route }) => route.method.toUpperCase() === event.httpMethod);
  if (!match) return unrouted(() => refusal(here, event))(event, context as never);
  const pending = endpoint(match.route, () => {
    throw new AppError('not_built', `The operation ${match.name} is not available yet`);
  });
  return pending({ ...event, pathParameters: match.params }, context as never);
}

async function refusal(here: readonly RouteMatch[], event: ApiEvent): Promise<ApiResponse> {
  if (here.length === 0) throw new NotFoundError('Path');
  if (event.httpMethod === 'OPTIONS') return preflight(here, event, table);
  return wrongMethod(here, event);
}

function wrongMethod(here: readonly RouteMatch[], event: ApiEvent): ApiResponse {
  const methods = here.map(({ route }) => route.method.toUpperCase()).join(', ');
  const response = failure(new AppError('method_not_allowed', `This path supports only ${methods}`), event);
  return { ...response, headers: { ...response.headers, Allow: methods } };
}
